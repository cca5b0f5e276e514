"""The table for people: sessions without I/O, and the server and page around them."""
