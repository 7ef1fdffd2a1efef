import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const page = (body: string) =>
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Sample</title><style>body { font: 12pt/1.4 ' +
  `sans-serif } td { border: 1px solid #ccc; padding: 3px }</style>${body}`
const words = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => ['paper', 'quill', 'letter', 'margin', 'ledger', 'binding', 'sheet', 'folio'][(index * 7) % 8],
  ).join(' ')

/** Pages of four kinds, by name. */
export const SAMPLES: Record<string, string> = {
  small: page('<h1>Delivery note</h1><p>Two boxes.</p>'),
  article: page(
    Array.from(
      { length: 40 },
      (_, index) =>
        '<h2>Part ' +
        `${index + 1}</h2><p>${words(180)}.</p><table>${`<tr><td>${words(3)}<td>12<td>3.50</tr>`.repeat(6)}</table>`,
    ).join(''),
  ),
  charts: page(
    '<div id="all"></div><script>onload = async () => { for (let n = 0; n < 6; n++) { const data = await (await ' +
      'fetch("/data")).json(); const c = document.createElement("canvas"); c.width = 600; c.height = 300; ' +
      'all.append(c); const g = c.getContext("2d"); data.forEach((v, i) => { g.fillStyle = `hsl(${i * 9} 70% 50%)`; ' +
      'g.fillRect(i * 15, 300 - v, 12, v) }) } }</script>',
  ),
  images: page(Array.from({ length: 12 }, (_, index) => `<img src="/picture${index}" width="300">`).join('')),
}

/** A bitmap of noise that no writer can compress: 740 kB. */
const IMAGE = makeImage(500, 493)

/** Starts a server with the samples, the data of the charts and the images. */
export async function serveSamples(): Promise<{ base: string; close(): void }> {
  const server = createServer((request, response) => {
    const name = (request.url ?? '/').slice(1)
    const sample = SAMPLES[name]
    if (sample !== undefined) response.writeHead(200, { 'content-type': 'text/html' }).end(sample)
    else if (name === 'data') response.end(JSON.stringify(Array.from({ length: 40 }, (_, index) => (index * 37) % 290)))
    else if (name.startsWith('picture')) response.writeHead(200, { 'content-type': 'image/bmp' }).end(IMAGE)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // The server listens on a port.
  return { base: `http://127.0.0.1:${port}`, close: () => server.close() }
}

function makeImage(width: number, height: number): Buffer {
  const pixels = randomBytes(width * height * 3)
  const head = Buffer.alloc(54)
  head.write('BM')
  head.writeUInt32LE(head.length + pixels.length, 2)
  head.writeUInt32LE(head.length, 10)
  head.writeUInt32LE(40, 14)
  head.writeInt32LE(width, 18)
  head.writeInt32LE(height, 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(24, 28)
  return Buffer.concat([head, pixels])
}
