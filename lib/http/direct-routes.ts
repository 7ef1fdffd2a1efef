import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join, resolve } from 'node:path'

/** Handles a request with the route handler of its path. Returns undefined if Next.js must route the request. */
export type HandleDirectly = (req: IncomingMessage, res: ServerResponse) => Promise<void> | undefined

type RouteHandler = (request: undefined, context: { params: Promise<Record<string, string>> }) => Promise<Response>

interface DirectRoute {
  pattern: RegExp
  post: RouteHandler
}

/**
 * Loads the compiled route handlers under `app/api/external`, so that a request to a plain path skips Next's router.
 * The router and its copies of request and response cost more than all of our own steps before the work. Next.js still
 * gets everything that isn't a POST to exactly such a path: other methods, escapes, query strings, unknown paths.
 * Next.js also gets a route whose compiled form has an unexpected shape.
 *
 * Call this function after Next.js is prepared, because compiled routes need its environment. Node's module cache makes
 * sure that Next.js and this function load the same modules.
 */
export async function openDirectRoutes(distDir: string): Promise<HandleDirectly> {
  const routes = await loadRoutes(resolve(distDir, 'server'))
  return (req, res) => {
    if (req.method !== 'POST') return undefined
    for (const { pattern, post } of routes) {
      const match = pattern.exec(req.url ?? '')
      if (match)
        return post(undefined, { params: Promise.resolve({ ...match.groups }) }).then(response => end(res, response))
    }
    return undefined
  }
}

/** Ends the exchange as Next.js does for the empty Response that follows a response that is already written. */
function end(res: ServerResponse, { status }: Response): void {
  if (res.writableEnded) return
  if (!res.headersSent) res.statusCode = status
  res.end()
}

async function loadRoutes(folder: string): Promise<DirectRoute[]> {
  // Written by `next build`.
  const manifest = JSON.parse(readFileSync(join(folder, 'app-paths-manifest.json'), 'utf8')) as Record<string, string>
  const load = createRequire(join(folder, 'app-paths-manifest.json'))
  const routes: DirectRoute[] = []
  for (const [route, file] of Object.entries(manifest)) {
    const pattern = describePath(route)
    const post = pattern && (await findPost(load(join(folder, file))))
    if (pattern && post) routes.push({ pattern, post })
  }
  return routes
}

/**
 * Returns a pattern for the paths of a route such as `/api/external/pdf-tools/[toolId]/route`. Undefined for other
 * routes.
 */
function describePath(route: string): RegExp | undefined {
  const segments = /^\/(api\/external\/.+)\/route$/.exec(route)?.[1]?.split('/')
  const parts = segments?.map(segment =>
    /^[a-z0-9-]+$/.test(segment) ? segment : segment.replace(/^\[(\w+)\]$/, '(?<$1>[a-z0-9-]+)'),
  )
  // A remaining bracket marks a catch-all route, which only refuses unknown paths.
  return parts === undefined || parts.some(part => part.startsWith('['))
    ? undefined
    : new RegExp(`^/${parts.join('/')}$`)
}

/** The members that we use of a compiled route file (next/dist/build/templates/app-route.js). */
interface CompiledRoute {
  routeModule?: { ensureUserland?(): Promise<unknown>; userland?: { POST?: RouteHandler } }
}

async function findPost(compiled: unknown): Promise<RouteHandler | undefined> {
  const { routeModule } = (compiled ?? {}) as CompiledRoute // every member may be missing
  await routeModule?.ensureUserland?.()
  const post = routeModule?.userland?.POST
  return typeof post === 'function' ? post : undefined
}
