/**
 * URLs that Sheaf refuses without a request. `port` is a port of this machine, and `lan` is one of its IP addresses.
 */
export function listRefusedUrls({ port, lan }: { port: number; lan: string }): string[] {
  return [
    ...[
      'file:///etc/passwd',
      'FILE:///etc/passwd',
      'file://localhost/etc/passwd',
      'view-source:file:///etc/passwd',
      `view-source:http://127.0.0.1:${port}/`,
      'about:blank',
      'javascript:alert(1)',
      'data:text/html,x',
      'blob:http://a/b',
      'ftp://127.0.0.1/',
      `gopher://127.0.0.1:${port}/_INFO`,
      'chrome://version',
      'devtools://devtools',
      `ws://127.0.0.1:${port}/`,
      'http://',
      `//127.0.0.1:${port}/`,
      `127.0.0.1:${port}`,
    ],
    ...[
      '127.0.0.1',
      '127.1',
      '127.0.1',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '0177.0.0.1',
      '017700000001',
      '127.0.0.1.',
      '0',
      '0.0.0.0',
      '127.255.255.254',
      '①②⑦.⓪.⓪.①',
      '127。0。0。1',
      '１２７.0.0.1',
    ].map(host => `http://${host}:${port}/`),
    ...[
      '[::1]',
      '[::]',
      '[0:0:0:0:0:0:0:1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[64:ff9b:1::7f00:1]',
      '[2002:7f00:1::]',
      '[2001:0:7f00:1::]',
      '[fe80::1]',
      '[fc00::1]',
      '[fd00:ec2::254]',
      '[fec0::1]',
      '[ff02::1]',
      '[2001:db8::1]',
      '[0:0:0:0:0:ffff:169.254.169.254]',
    ].map(host => `http://${host}:${port}/`),
    ...[
      lan,
      '169.254.169.254',
      '100.64.0.1',
      '10.0.0.1',
      '172.16.0.1',
      '192.168.0.1',
      '192.0.0.1',
      '192.0.2.1',
      '198.18.0.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      '168.63.129.16',
    ].map(host => `http://${host}:${port}/`),
    ...[
      'localhost',
      'LOCALHOST',
      'localhost.',
      'foo.localhost',
      'metadata.google.internal',
      'printer.local',
      'ｌｏｃａｌｈｏｓｔ',
    ].map(host => `http://${host}:${port}/`),
    ...[
      `http://user:password@127.0.0.1:${port}/`,
      `http://example.com@127.0.0.1:${port}/`,
      `http://127.0.0.1:${port}\\@example.com/`,
      'http://example.com:99999/',
      'http://127.0.0.1%2f@example.com/',
      `https://127.0.0.1:${port}/`,
      `http:127.0.0.1:${port}`,
      `http:\\\\127.0.0.1:${port}\\`,
      `\thttp://127.0.0.1:${port}/`,
      `http://127.0.0.1:${port}/#@example.com`,
    ],
  ]
}

/** Parts of a page. Each requests a URL in a different way. The page itself is harmless. */
export function listWaysOut(url: string): Record<string, string> {
  const host = url.replace(/^http:\/\//, '')
  const script = (code: string) =>
    `<script>try { Promise.resolve((() => { ${code} })()).catch(() => {}) } catch {}</script>`
  const worker = (code: string) => `URL.createObjectURL(new Blob([${JSON.stringify(code)}]))`
  return {
    'a style sheet': `<link rel="stylesheet" href="${url}/style">`,
    'hints to fetch early':
      `<link rel="prefetch" href="${url}/prefetch"><link rel="preload" as="image" href="${url}/preload"><link ` +
      `rel="modulepreload" href="${url}/modulepreload"><link rel="prerender" href="${url}/prerender">`,
    'hints to connect early': `<link rel="preconnect" href="${url}"><link rel="dns-prefetch" href="//${host}">`,
    'an icon and a manifest': `<link rel="icon" href="${url}/icon"><link rel="manifest" href="${url}/manifest">`,
    'rules of speculation':
      '<script ' +
      `type="speculationrules">{"prefetch":[{"source":"list","urls":["${url}/speculate"]}],"prerender":[{"source":"list","urls":["${url}/speculate"]}]}</script>`,
    '@import': `<style>@import url(${url}/import)</style>`,
    '@font-face': `<style>@font-face { font-family: F; src: url(${url}/font) } body { font-family: F }</style>`,
    'pictures of a style':
      `<style>body { background: url(${url}/background) } p::before { content: url(${url}/content) } @media print { ` +
      `p { border-image: url(${url}/border) 1 } }</style><p>`,
    'a shape of a style':
      `<style>p { float: left; shape-outside: url(${url}/shape); mask: url(${url}/mask#a); filter: ` +
      `url(${url}/filter#a); cursor: url(${url}/cursor), auto }</style><p>x`,
    'a script': `<script src="${url}/script"></script>`,
    'a module': `<script type="module" src="${url}/module"></script>`,
    'a picture': `<img src="${url}/img">`,
    'a set of pictures': `<img srcset="${url}/srcset 2x"><picture><source srcset="${url}/source"><img></picture>`,
    'a picture of a form': `<input type="image" src="${url}/input">`,
    'a frame': `<iframe src="${url}/iframe"></iframe>`,
    'a frame in a frame': `<iframe srcdoc="<img src='${url}/srcdoc'>"></iframe>`,
    'a frame of a file': '<iframe src="file:///etc/passwd" width="600" height="600"></iframe>',
    'a frame of a share':
      '<iframe src="\\\\localhost\\etc\\passwd"></iframe><iframe src="\\\\\\\\127.0.0.1\\\\x"></iframe>',
    'an object': `<object data="${url}/object"></object><object data="file:///etc/passwd"></object>`,
    'an embedded thing': `<embed src="${url}/embed"><embed src="file:///etc/passwd">`,
    'a film': `<video src="${url}/video" poster="${url}/poster" autoplay><track src="${url}/track" default></video>`,
    'a sound': `<audio src="${url}/audio" autoplay></audio>`,
    'a picture of SVG': `<svg><image href="${url}/svg"/><feImage href="${url}/fe"/></svg>`,
    'a use of SVG': `<svg><use href="${url}/use#a"/></svg>`,
    'a form that sends itself':
      `<form id="f" action="${url}/form" method="post" target="g"></form><iframe ` +
      `name="g"></iframe>${script('document.getElementById("f").submit()')}`,
    'a ping': `<a id="p" href="#x" ping="${url}/ping">x</a>${script('document.getElementById("p").click()')}`,
    'a download': `<a id="d" href="${url}/download" download>x</a>${script('document.getElementById("d").click()')}`,
    'a window': script(`window.open("${url}/window")`),
    fetch: script(`return fetch("${url}/fetch", { mode: "no-cors" })`),
    'fetch that lives on': script(
      `return fetch("${url}/keepalive", { method: "POST", mode: "no-cors", keepalive: true, body: "x" })`,
    ),
    'fetch of a file': script(
      'return fetch("file:///etc/passwd").then(r => r.text()).then(t => document.body.append(t))',
    ),
    XMLHttpRequest: script(`const x = new XMLHttpRequest(); x.open("POST", "${url}/xhr"); x.send("x")`),
    'a beacon': script(`navigator.sendBeacon("${url}/beacon", "x")`),
    'a stream of events': script(`new EventSource("${url}/events")`),
    'a web socket': script(`new WebSocket("ws://${host}/socket"); new WebSocket("wss://${host}/socket")`),
    'a stream of web sockets': script(`new WebSocketStream("ws://${host}/socket-stream")`),
    WebTransport: script(`new WebTransport("https://${host}/transport")`),
    'a STUN server': script(
      `const p = new RTCPeerConnection({ iceServers: [{ urls: "stun:${host}" }] }); p.createDataChannel("x"); ` +
        'return p.createOffer().then(o => p.setLocalDescription(o))',
    ),
    'a TURN server': script(
      `const p = new RTCPeerConnection({ iceServers: [{ urls: "turn:${host}?transport=tcp", username: "u", ` +
        'credential: "c" }] }); p.createDataChannel("x"); return p.createOffer().then(o => p.setLocalDescription(o))',
    ),
    'a worker': script(`new Worker(${worker(`fetch("${url}/worker", { mode: "no-cors" })`)})`),
    'a web socket of a worker': script(`new Worker(${worker(`new WebSocket("ws://${host}/worker-socket")`)})`),
    'scripts of a worker': script(`new Worker(${worker(`importScripts("${url}/import-scripts")`)})`),
    'a shared worker': script(`new SharedWorker(${worker(`fetch("${url}/shared", { mode: "no-cors" })`)})`),
    'a worker of a worker': script(
      'new ' +
        `Worker(${worker(`new Worker(URL.createObjectURL(new Blob(['fetch("${url}/nested", { mode: "no-cors" })'])))`)})`,
    ),
    'a service worker': script(`return navigator.serviceWorker.register("${url}/service-worker.js")`),
    'a worklet': script(`return CSS.paintWorklet.addModule("${url}/worklet")`),
    'an import': script(`return import("${url}/dynamic")`),
    'a picture that is never shown': script(`new Image().src = "${url}/image"; new Audio("${url}/sound").play()`),
    'a refresh of a frame': `<iframe srcdoc='<meta http-equiv="refresh" content="0; url=${url}/refresh">'></iframe>`,
    'a reporting endpoint': `<meta http-equiv="Content-Security-Policy" content="img-src 'none'; report-uri ${url}/report"><img src="x">`,
    'a template of a style sheet': `<?xml-stylesheet href="${url}/xsl"?>`,
    'another base': `<base href="${url}/"><img src="relative">`,
  }
}

/** Pages that navigate the whole browser elsewhere. Sheaf must not print them. */
export function listLeads(url: string): Record<string, string> {
  return {
    'a refresh': `<meta http-equiv="refresh" content="0; url=${url}/refresh">`,
    'a refresh to a file': '<meta http-equiv="refresh" content="0; url=file:///etc/passwd">',
    'a script that leads on': `<script>location = "${url}/location"</script>`,
    'a script that leads to a file': '<script>location = "file:///etc/passwd"</script>',
    'a link that is followed': `<a id="a" href="${url}/click">x</a><script>document.getElementById("a").click()</script>`,
    'a form that leads on': `<form id="f" action="${url}/submit"></form><script>document.getElementById("f").submit()</script>`,
  }
}
