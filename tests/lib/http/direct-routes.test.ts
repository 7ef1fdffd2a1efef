import type { IncomingMessage, ServerResponse } from 'node:http'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HandleDirectly, openDirectRoutes } from '../../../lib/http/direct-routes'

const GOOD =
  'exports.routeModule = { async ensureUserland() { this.userland = { POST: async (_, { params }) => new ' +
  'Response(null, { status: 200 + Object.keys(await params).length, headers: await params }) } } }'

let folder: string
let handleDirectly: HandleDirectly

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-routes-'))
  handleDirectly = await openDirectRoutes(
    makeBuild({
      '/api/external/[[...path]]/route': GOOD,
      '/api/external/invoices/pdf/route': GOOD,
      '/api/external/tools/[toolId]/route': GOOD,
      '/api/external/changed/route': 'exports.routeModule = { userland: {} }',
      '/api/external/unknown/route': 'module.exports = undefined',
      '/api/health/route': GOOD,
      '/account/page': 'throw new Error("not to be loaded")',
    }),
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a request', () => {
  it('to the path of an operation is answered by its route handler, with the tool', async () => {
    expect(await response('/api/external/invoices/pdf')).toEqual({ status: 200, isEnded: true })
    expect(await response('/api/external/tools/rotate-pdf')).toEqual({ status: 201, isEnded: true })
  })

  it("gets the handler's response unchanged", async () => {
    const res = { writableEnded: true, headersSent: true, statusCode: 418, end: () => expect.unreachable() }
    await handleDirectly(
      { method: 'POST', url: '/api/external/invoices/pdf' } as IncomingMessage,
      res as unknown as ServerResponse,
    ) // The handler reads only these properties.
    expect(res.statusCode).toBe(418)
  })

  it.each([
    '/api/external/tools/rotate-pdf/',
    '/api/external/tools/rotate-pdf?x',
    '/api/external/tools/rotate%2Dpdf',
    '/api/external/tools/Rotate',
    '/api/external/tools/',
    '/api/external/tools/a/b',
    '//api/external/tools/a',
    '/api/external',
    '/api/external/[[...path]]',
    '/api/external/elsewhere',
    '/api/health',
    '/api/external/changed',
    '/api/external/unknown',
  ])('to %s is left to Next.js', url => {
    expect(response(url)).toBeUndefined()
  })

  it.each(['GET', 'PUT', 'OPTIONS', 'PATCH'])('with %s is left to Next.js', method => {
    expect(response('/api/external/invoices/pdf', method)).toBeUndefined()
  })
})

function response(url: string, method = 'POST'): Promise<{ status: number; isEnded: boolean }> | undefined {
  const result = { status: 0, isEnded: false }
  const res = {
    writableEnded: false,
    headersSent: false,
    set statusCode(status: number) {
      result.status = status
    },
    end: () => (result.isEnded = true),
  }
  // The function reads only these properties.
  return handleDirectly({ method, url } as IncomingMessage, res as unknown as ServerResponse)?.then(() => result)
}

/** A folder with the route files of `next build`, as far as Sheaf reads them. */
function makeBuild(routes: Record<string, string>): string {
  const manifest = Object.fromEntries(Object.keys(routes).map(route => [route, `app${route}.js`]))
  for (const [route, code] of Object.entries(routes)) {
    const path = join(folder, 'server', `app${route}.js`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, code)
  }
  writeFileSync(join(folder, 'server', 'app-paths-manifest.json'), JSON.stringify(manifest))
  return folder
}
