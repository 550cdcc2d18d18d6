/** How a document of page diffs looks: in light and dark, on narrow screens, on paper. Texts have 4.5:1 and more. */
export const documentStyle = `
:root { color-scheme: light dark; --text: #1b1f24; --ground: #fff; --line: #8c959f; --link: #0a58ca; --in: #053d15; --in-ground: #d2f5da; --out: #7a0c14; --out-ground: #ffdcdc }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9ee; --ground: #14171c; --line: #7b8490; --link: #8db9ff } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 100rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground) }
a { color: var(--link) }
h1, h2, h3, code { overflow-wrap: anywhere }
section { margin-top: 2rem; padding-top: 1rem; border-top: 1px solid var(--line) }
section > input { margin: 0 0.4rem 0.8rem 0 }
section > label { margin-right: 1.2rem }
input:focus-visible + label { outline: 2px solid var(--link); outline-offset: 3px }
.view { display: none }
.to-inline:checked ~ .inline { display: block }
.to-sides:checked ~ .sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem }
.sides h3 { margin: 0 0 0.4rem; font-size: 1rem }
.frame { height: 75vh; min-height: 15rem; resize: vertical; overflow: hidden; border: 1px solid var(--line); background: #fff }
iframe { display: block; width: 100%; height: 100%; border: 0; color-scheme: light }
.legend ins { color: var(--in); background: var(--in-ground); text-decoration: underline 2px #2b8a45 }
.legend del { color: var(--out); background: var(--out-ground); text-decoration: line-through 2px #d1383f }
.changed { outline: 2px dotted #8a63d2; outline-offset: 2px }
@media (max-width: 60rem) { .to-sides:checked ~ .sides { grid-template-columns: 1fr } }
@media print { .frame { height: 60rem } section { break-before: page } }
`
