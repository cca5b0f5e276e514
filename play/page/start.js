// The first page: which game, and at what table?
import { wireLanguage } from "./frame.js";
import { fillSetup, saySetup } from "./setup.js";
import "./words_gipfelsturm.js";

wireLanguage(saySetup);
const setup = document.getElementById("setup");
setup.addEventListener("toggle", () => setup.open && fillSetup());
