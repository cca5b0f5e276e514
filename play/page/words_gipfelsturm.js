// Gipfelsturm's words, beside those of every page.
import { addWords } from "./words.js";
import { de } from "./words_gipfelsturm_de.js";
import { en } from "./words_gipfelsturm_en.js";

addWords({ de, en });
