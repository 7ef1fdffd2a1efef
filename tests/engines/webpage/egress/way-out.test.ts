import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPageRenderer } from '../../../support/web-printer'
import type { TestRenderer } from '../../../support/web-printer'
import { readPageTexts } from '../../../support/page-texts'
import { startCanary, startSite } from '../../../support/site'
import type { Canary, TestSite } from '../../../support/site'

/** Names that resolve to the canary's IP address, as a hostile name server would return them. */
const NAMES: Record<string, string[]> = {
  'private.test': ['127.0.0.1'],
  'mixed.test': ['93.184.216.34', '127.0.0.1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'own.test': ['93.184.216.35'],
}

/** A public IP address that this machine treats as its own. */
const OWN = '93.184.216.35'

let asked = 0
let canary: Canary
let site: TestSite
let renderer: TestRenderer

beforeAll(async () => {
  canary = await startCanary()
  site = await startSite({
    '/trap': (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(trap(`127.0.0.1:${canary.port}`)),
    '/out': (_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${canary.port}/redirect` }).end(),
    '/file': (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    '/refresh': (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<meta http-equiv="refresh" content="0; url=http://127.0.0.1:${canary.port}/refresh">`),
    '/worker.js': (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(
          `oninstall = () => fetch("http://127.0.0.1:${canary.port}/service-worker"); ` +
            `fetch("http://127.0.0.1:${canary.port}/worker").catch(() => {}); new ` +
            `WebSocket("ws://127.0.0.1:${canary.port}/worker-socket")`,
        ),
  })
  renderer = await startPageRenderer({
    allowedHosts: site.host,
    resolve: async name => NAMES[name] ?? [],
    listInterfaces,
  })
  await renderer.pages.ready()
})

afterAll(async () => {
  await renderer?.close()
  await untouched() // Nothing that a page left behind connected later.
  await site?.close()
  await canary?.close()
})

function listInterfaces() {
  asked += 1
  return { eth0: [{ address: OWN, family: 'IPv4' }] }
}

/** All means by which a page can send requests. */
function trap(host: string): string {
  const url = `http://${host}`
  return `<!doctype html><html manifest="${url}/manifest"><head><meta charset="utf-8"><title>Trap</title>
<base target="_self"><link rel="stylesheet" href="${url}/style"><link rel="prefetch" href="${url}/prefetch"><link rel="preload" as="image" href="${url}/preload"><link rel="modulepreload" href="${url}/modulepreload">
<link rel="preconnect" href="${url}"><link rel="dns-prefetch" href="//private.test"><link rel="prerender" href="${url}/prerender"><link rel="icon" href="${url}/icon"><link rel="manifest" href="${url}/webmanifest">
<style>@import url(${url}/import); @font-face { font-family: F; src: url(${url}/font) } body { background: url(${url}/background); font-family: F } li { list-style-image: url(${url}/list) } p::before { content: url(${url}/content) } @media print { p { border-image: url(${url}/border) 1 } }</style>
<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${url}/speculate"]}],"prerender":[{"source":"list","urls":["${url}/speculate2"]}]}</script>
<script src="${url}/script"></script><script type="module" src="${url}/module"></script></head><body><p>TRAP WORDS</p><ul><li>x</ul>
<img src="${url}/img"><img srcset="${url}/srcset 2x"><picture><source srcset="${url}/source"><img></picture><input type="image" src="${url}/input"><iframe src="${url}/iframe"></iframe><iframe src="file:///etc/passwd"></iframe><iframe src="\\\\\\\\127.0.0.1\\\\x"></iframe>
<iframe srcdoc="<img src='${url}/srcdoc'>"></iframe><object data="${url}/object"></object><object data="file:///etc/passwd"></object><embed src="${url}/embed"><video src="${url}/video" poster="${url}/poster" autoplay></video><audio src="${url}/audio" autoplay></audio><track src="${url}/track">
<svg><image href="${url}/svg"/><use href="${url}/use#a"/><feImage href="${url}/fe"/></svg><math href="${url}/math"></math><form id="f" action="${url}/form" method="post" target="g"></form><iframe name="g"></iframe><a id="ping" href="#" ping="${url}/ping">x</a><a id="down" href="${url}/download" download>x</a>
<script>
const quiet = run => { try { Promise.resolve(run()).catch(() => {}) } catch {} }
for (const host of ['${host}', 'localhost:${canary.port}', '[::1]:${canary.port}', 'private.test:${canary.port}', 'mixed.test:${canary.port}', 'mapped.test:${canary.port}', '0.0.0.0:${canary.port}', '127.1:${canary.port}']) {
  quiet(() => fetch('http://' + host + '/fetch', { mode: 'no-cors' })); quiet(() => fetch('https://' + host + '/fetch', { mode: 'no-cors' })); quiet(() => new WebSocket('ws://' + host + '/socket')); quiet(() => new WebSocket('wss://' + host + '/socket'))
  quiet(() => new EventSource('http://' + host + '/events')); quiet(() => navigator.sendBeacon('http://' + host + '/beacon', 'x')); quiet(() => { new Image().src = 'http://' + host + '/image' })
  quiet(() => { const x = new XMLHttpRequest(); x.open('POST', 'http://' + host + '/xhr'); x.send('x') })
  quiet(() => new RTCPeerConnection({ iceServers: [{ urls: ['stun:' + host, 'turn:' + host + '?transport=tcp'], username: 'u', credential: 'c' }] }).createDataChannel('x'))
  quiet(async () => { const p = new RTCPeerConnection({ iceServers: [{ urls: 'turn:' + host + '?transport=tcp', username: 'u', credential: 'c' }] }); p.createDataChannel('x'); await p.setLocalDescription(await p.createOffer()) })
  quiet(() => new WebTransport('https://' + host + '/transport'))
}
quiet(() => navigator.serviceWorker.register('/worker.js')); quiet(() => new Worker('/worker.js')); quiet(() => new SharedWorker('/worker.js'))
quiet(() => new Worker(URL.createObjectURL(new Blob(['fetch("${url}/blob-worker", { mode: "no-cors" }); new WebSocket("ws://${host}/blob-socket"); importScripts("${url}/import-scripts")']))))
quiet(() => document.getElementById('f').submit()); quiet(() => window.open('${url}/window')); quiet(() => document.getElementById('ping').click()); quiet(() => import('${url}/dynamic'))
quiet(() => CSS.paintWorklet.addModule('${url}/worklet')); quiet(() => fetch('file:///etc/passwd').then(r => r.text()).then(t => document.body.append(t)))
</script></body></html>`
}

/** The canary accepts connections in order. When it responds to ours, it has seen all earlier ones. */
async function untouched(): Promise<void> {
  await readText(connect(canary.port, '127.0.0.1').end('OURS'))
  expect(canary.touched.filter(line => line !== 'OURS')).toEqual([])
}

describe('network access of a page', () => {
  it.each(['a page of an allowed host', 'HTML of the caller'])(
    'leads from %s to nothing private, by any means',
    async what => {
      const page = what.startsWith('HTML') ? trap(`127.0.0.1:${canary.port}`) : `${site.base}/trap`
      const { bytes, warnings } = await renderer.print(page, {
        waitDelay: 1.5,
        timeout: 20,
        headerTemplate: `<img src="http://127.0.0.1:${canary.port}/header"><b>H</b>`,
      })
      await untouched()
      const text = (await readPageTexts(bytes)).join('')
      expect(text).toContain('TRAP WORDS')
      expect(text).not.toMatch(/root:|CANARY/)
      expect(warnings).toEqual(['resources-failed'])
    },
  )

  it.each(['/out', '/file', '/refresh'])('excludes pages that redirect: %s', async path => {
    const words = await renderer.print(site.base + path, { waitDelay: 0.5, timeout: 10 }).then(
      () => 'printed',
      (error: unknown) => String(error),
    )
    expect(words).toMatch(/The page could not be converted/)
    await untouched()
  })

  it.each([OWN, 'own.test'])('excludes public IP addresses of this machine, with the same message: %s', async host => {
    await expect(renderer.print(`http://${host}:${canary.port}/`, { timeout: 10 })).rejects.toThrowError(
      /^The page could not be converted/,
    )
    expect(asked).toBeGreaterThan(0)
  })

  it.each(['private.test', 'mixed.test', 'mapped.test'])(
    'excludes names that resolve to a private IP address: %s',
    async host => {
      await expect(renderer.print(`http://${host}:${canary.port}/`, { timeout: 10 })).rejects.toThrowError(
        /^The page could not be converted/,
      )
      await expect(renderer.print(`https://${host}:${canary.port}/`, { timeout: 10 })).rejects.toThrowError(
        /^The page could not be converted/,
      )
      await untouched()
    },
  )
})
