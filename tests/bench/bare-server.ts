import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { findTool } from '../../engines/tools/registry'
import { createEngines } from '../../engines/create-engines'
import { LIMITS } from '../support/engine-limits'
import { print } from './report'

/**
 * A minimal server around the engine processes: Node's own HTTP server, a form parsed by two searches, no key, no
 * credits, no limits. Prints its port, and ends when its standard input closes.
 */
export async function serveBare(childPath: string): Promise<void> {
  const engines = createEngines({
    childPath,
    count: availableParallelism(),
    maxRssBytes: 1500 * 2 ** 20,
    maxQueue: 1000,
    spoolFolder: mkdtempSync(join(tmpdir(), 'sheaf-bench-')),
  })
  await engines.ready()
  const response = async (req: IncomingMessage, res: ServerResponse) => {
    const tool = req.url?.split('/').at(-1) ?? ''
    const { file, options } = await readForm(req)
    const job = {
      tool,
      options: findTool(tool)?.options.parse(options),
      limits: LIMITS,
      files: [{ name: 'in.pdf', chunks: [file], byteLength: file.length }],
    }
    const { content, contentType } = await engines.run(job, { openTimeoutMs: 5000, toolTimeoutMs: 30_000 })
    res.writeHead(200, { 'content-type': contentType, 'content-length': content.byteLength })
    for await (const piece of content.read()) res.write(piece)
    content.release()
    res.end()
  }
  const server = createServer(
    (req, res) => void response(req, res).catch((error: unknown) => res.writeHead(500).end(String(error))),
  )
  // A TCP server's address.
  server.listen(0, '127.0.0.1', () => print(JSON.stringify({ port: (server.address() as AddressInfo).port })))
  process.stdin.resume().once('end', () => void engines.close().then(() => process.exit(0)))
}

async function readForm(req: IncomingMessage): Promise<{ file: Buffer; options: unknown }> {
  const pieces: Buffer[] = []
  for await (const piece of req) pieces.push(piece as Buffer) // The request has no encoding, so chunks are buffers.
  const body = Buffer.concat(pieces)
  const boundary = Buffer.from(`\r\n--${/boundary=(\S+)/.exec(req.headers['content-type'] ?? '')?.[1] ?? ''}`)
  const fileStart = body.indexOf('\r\n\r\n') + 4
  const fileEnd = body.indexOf(boundary, fileStart)
  const optionsStart = body.indexOf('\r\n\r\n', fileEnd) + 4
  const options: unknown = JSON.parse(body.subarray(optionsStart, body.indexOf(boundary, optionsStart)).toString())
  return { file: body.subarray(fileStart, fileEnd), options }
}
