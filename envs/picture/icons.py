"""Signs instead of words, and the hand: pictures say the same in every language."""

# Each in a square of 40 units.
ICONS = {
    "clock": '<path class="thin" d="M20 4A16 16 0 1 1 19.990 4ZM20 11V20L26 25"/>',
    "peaks": '<path class="solid" d="M0 35L11 12L16 22L22 5L29 21L32 16L40 35Z"/>',
    "streak": '<path class="solid" d="M3 25h8v10H3zM16 15h8v20h-8zM29 5h8v30h-8z"/>',
    "longest": '<path class="solid" d="M20 3L25 15L38 16L28 24L31 37L20 30L9 37L12 24L2 16L15 15Z"/>',
    "won": '<circle class="solid" cx="20" cy="20" r="18"/><path class="thin white" d="M11 21L18 27L29 14"/>',
    "lost": '<circle class="solid" cx="20" cy="20" r="18"/><path class="thin white" d="M13 13L27 27M27 13L13 27"/>',
    "stock": '<rect class="solid" x="8" y="3" width="24" height="34" rx="4"/>',
    "stuck": '<path class="thin" d="M10 5H30V35H10ZM4 34L36 6"/>',
    "need": '<path class="thin" d="M20 4V25M11 17L20 26L29 17M5 35H35"/>',
    "hold": '<path class="solid" d="M9 5h8v30H9zM23 5h8v30h-8z"/>',
    "drawing": '<path class="thin" d="M5 10H21V35H5ZM31 30V8M24 14L31 7L38 14"/>',
}

# It points up, the tip of its finger at (0, 0). Its shapes overlap: drawn with a line round them and then once more
# without, they are one shape with an outline.
_SHAPES = (
    '<rect x="-9" width="18" height="62" rx="9"/>'
    '<rect x="9" y="30" width="16" height="40" rx="8"/>'
    '<rect x="25" y="34" width="15" height="38" rx="7"/>'
    '<rect x="40" y="40" width="13" height="34" rx="6"/>'
    '<path d="M-9 50L-22 42C-30 38 -36 47 -30 54L-9 82Z"/>'
    '<path d="M-9 50H53V74C53 88 46 94 36 94H8C-4 94 -9 86 -9 76Z"/>'
)
_CREASES = '<path class="crease" d="M9 38V58M25 42V58M40 48V60"/>'
_CUFF = '<rect x="-6" y="92" width="56" height="34" rx="8"/>'
HAND = f'<g class="outline">{_CUFF}{_SHAPES}</g><g class="skin">{_SHAPES}</g>{_CREASES}{_CUFF}'
