import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Sheaf } from '../../../clients/typescript/src/sheaf'
import { hasPython, PYTHON_ENVIRONMENT } from '../../support/python'

const REMOTE = { name: 'a.pdf', url: 'https://example.com/a.pdf?key=1' }
const LOCAL = { name: 'b.pdf', dataBase64: 'Qg==' }

let server: Server
let base: string
/** The bodies of the requests, and whether each was JSON. */
let bodies: unknown[]

beforeAll(async () => {
  server = createServer((request, response) => {
    void json(request).then(body => {
      bodies.push([request.headers['content-type'], body])
      response
        .writeHead(200, {
          'content-type': 'application/pdf',
          'x-request-id': 'req_1',
          'x-credits-charged': '1',
          'x-credit-balance': '1',
        })
        .end('%PDF')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // The server listens on a port.
})
beforeEach(() => {
  bodies = []
})
afterAll(() => void server.close())

const EXPECTED = [
  { file: REMOTE, options: { angle: 90 } },
  { files: [REMOTE, LOCAL], options: {} },
  { file: REMOTE, landscape: true },
].map(body => ['application/json', body])

describe('the clients send files by URL in JSON, with other files as base64', () => {
  it('from TypeScript', async () => {
    const sheaf = new Sheaf({ apiKey: 'sk_test', baseUrl: base })
    await sheaf.rotatePdf({ name: 'a.pdf', url: new URL(REMOTE.url) }, { angle: 90 })
    await sheaf.mergePdf([REMOTE, { name: 'b.pdf', data: new TextEncoder().encode('B') }])
    await sheaf.webpageToPdf({ landscape: true, file: REMOTE })
    expect(bodies).toEqual(EXPECTED)
    const stream = (async function* () {
      yield new TextEncoder().encode('B')
    })()
    await sheaf.mergePdf([REMOTE, { name: 'b.pdf', data: stream }])
    expect(bodies.at(-1)).toEqual(EXPECTED[1])
  })

  it.runIf(hasPython())('from Python', async () => {
    const program = [
      'import json, sys',
      'from sheaf import Sheaf',
      'remote = json.loads(sys.argv[2])',
      'sheaf = Sheaf("sk_test", base_url=sys.argv[1])',
      'sheaf.rotate_pdf(remote, {"angle": 90})',
      'sheaf.merge_pdf([remote, ("b.pdf", b"B")])',
      'sheaf.webpage_to_pdf({"landscape": True}, remote)',
    ]
    const args = ['-c', program.join('\n'), base, JSON.stringify(REMOTE)]
    const python = spawn('python3', args, { env: PYTHON_ENVIRONMENT, stdio: ['ignore', 'ignore', 'inherit'] })
    await once(python, 'close')
    expect(bodies).toEqual(EXPECTED)
  })
})
