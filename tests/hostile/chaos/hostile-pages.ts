/** Pages that try to monopolize a browser, by what they do. */
export const HOSTILE_PAGES: Record<string, string> = {
  'a loop without end': '<p>x</p><script>for (;;) {}</script>',
  'a loop without end, later': '<p>x</p><script>setTimeout(() => { for (;;) {} }, 200)</script>',
  'a loop that leaves the page time':
    '<p id="p">x</p><script>const again = () => { p.textContent += "x"; setTimeout(again) }; again()</script>',
  'promises without end': '<script>const again = () => Promise.resolve().then(again); again()</script>',
  'a million elements':
    '<script>for (let i = 0; i < 1e6; i++) document.body.append(document.createElement("p"))</script>',
  'elements a hundred thousand levels deep':
    '<script>let e = document.body; for (let i = 0; i < 1e5; i++) e = ' +
    'e.appendChild(document.createElement("div"))</script>',
  'elements without end':
    '<script>setInterval(() => { for (let i = 0; i < 1e4; i++) document.body.append("x", ' +
    'document.createElement("br")) })</script>',
  'a page of a thousand kilometers': '<div style="height: 100000000000px">x</div>',
  'a cell in a million columns': '<table><tr><td colspan="1000000000" rowspan="1000000000">x</table>',
  'a text of fifty million letters': '<p id="p"></p><script>p.textContent = "word ".repeat(1e7)</script>',
  'a memory eater':
    '<script>const all = []; setInterval(() => { for (let i = 0; i < 100; i++) all.push(new ' +
    'Uint8Array(1e6).fill(7)) })</script>',
  'a memory eater in its heap': '<script>let all = []; for (;;) all.push(new Array(1e5).fill(Math.random()))</script>',
  'strings that double': '<script>let text = "x"; for (;;) text += text</script>',
  'a canvas of a thousand million pixels':
    '<canvas id="c" width="32000" height="32000"></canvas><script>c.getContext("2d").fillRect(0, 0, 32000, ' +
    '32000)</script>',
  'a thousand canvases':
    '<script>for (let i = 0; i < 1000; i++) { const c = document.createElement("canvas"); c.width = c.height = ' +
    '2000; c.getContext("2d").fillRect(0, 0, 2000, 2000); document.body.append(c) }</script>',
  'windows without end': '<script>setInterval(() => window.open("about:blank"))</script>',
  'dialogs without end': '<script>for (;;) { alert(1); confirm(2); prompt(3) }</script>',
  'a dialog at its end':
    '<script>onbeforeunload = event => { event.preventDefault(); return "stay" }; onafterprint = onbeforeprint = ' +
    '() => alert(1)</script>',
  'its own print': '<script>print(); setInterval(() => print(), 10)</script>',
  'downloads without end':
    '<script>setInterval(() => { const a = document.createElement("a"); a.href = URL.createObjectURL(new Blob([new ' +
    'Uint8Array(1e6)])); a.download = "x"; a.click() }, 10)</script>',
  'frames in frames': '<iframe id="f"></iframe><script>f.srcdoc = document.documentElement.outerHTML</script>',
  'a thousand frames':
    '<script>for (let i = 0; i < 1000; i++) { const f = document.createElement("iframe"); f.srcdoc = "<p>x"; ' +
    'document.body.append(f) }</script>',
  'workers without end':
    '<script>setInterval(() => new Worker(URL.createObjectURL(new Blob(["for (;;) {}"]))), 10)</script>',
  'a page that loads itself': '<script>setTimeout(() => location.reload(), 50)</script>',
  'a history without end': '<script>setInterval(() => history.pushState({}, "", "#" + Math.random()))</script>',
  'styles that take their time':
    `<style>${':is(a, b, c) '.repeat(300)} { color: red }</style><style>:has(:has(p)) p { color: red ` +
    `}</style>${'<div>'.repeat(400)}<p>x`,
  'filters over filters': `${'<div style="filter: blur(500px); backdrop-filter: blur(500px)">'.repeat(200)}x`,
  'a picture of SVG in a million pieces':
    '<svg><defs><g id="a"><path d="M0 ' +
    `0h9"/></g>${Array.from({ length: 20 }, (_, level) => `<g id="${String.fromCharCode(98 + level)}"><use href="#${String.fromCharCode(97 + level)}"/><use href="#${String.fromCharCode(97 + level)}"/></g>`).join('')}</defs><use ` +
    'href="#u"/></svg>',
  'an expression that goes back': '<script>/^(a+)+$/.test("a".repeat(40) + "b")</script>',
  'a debugger': '<script>setInterval(() => { debugger }, 1)</script>',
  'console lines without end': '<script>for (;;) console.log("x".repeat(1e5))</script>',
  'requests without end':
    '<script>setInterval(() => { for (let i = 0; i < 100; i++) fetch("/x" + Math.random()) })</script>',
  'web assembly of a gigabyte':
    '<script>new WebAssembly.Memory({ initial: 16384, maximum: 65536 }); new Uint8Array(new WebAssembly.Memory({ ' +
    'initial: 16384 }).buffer).fill(1)</script>',
}
