/**
 * How marks look, by more than colour: what comes is underlined, what goes is struck through, blocks and pictures have lines of different
 * kinds. Words bring their own background, so they can be read on any page; the lines have 3:1 on white and on black (WCAG 1.4.11).
 */
export const markStyle = `
.quire-inserted, .quire-deleted, .quire-changed { scroll-margin: 4em }
ins.quire-inserted { background: #d2f5da !important; color: #053d15 !important; text-decoration: underline 2px #2b8a45 !important }
del.quire-deleted { background: #ffdcdc !important; color: #7a0c14 !important; text-decoration: line-through 2px #d1383f !important }
ins.quire-inserted *, del.quire-deleted * { color: inherit !important; background-color: transparent !important }
:not(ins).quire-inserted { outline: 3px solid #2b8a45 !important; outline-offset: 2px }
:not(del).quire-deleted { outline: 3px dashed #d1383f !important; outline-offset: 2px; text-decoration: line-through 2px #d1383f !important }
.quire-changed { outline: 2px dotted #8a63d2 !important; outline-offset: 2px }
ins.quire-inserted :is(img, picture, svg, video, canvas, iframe, object) { outline: 4px solid #2b8a45 !important }
del.quire-deleted :is(img, picture, svg, video, canvas, iframe, object) { outline: 4px dashed #d1383f !important; opacity: 0.6 }
`
