import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join, resolve } from 'node:path'

/** Answers a call by the route handler of its path; undefined when it is one that Next.js has to route. */
export type ResponseCall = (req: IncomingMessage, res: ServerResponse) => Promise<void> | undefined

type RouteHandler = (request: undefined, context: { params: Promise<Record<string, string>> }) => Promise<Response>

interface CallRoute {
  pattern: RegExp
  post: RouteHandler
}

/**
 * Opens the route handlers under `app/api/external` of a build, so that a call on a plain path goes straight to its
 * own: Next's router, and the copies of request and response that it makes for each call and that `serve` never looks
 * at, cost more than all of our own steps before the work. Whatever is not a POST on exactly such a path (other
 * methods, escapes, queries, paths that lead nowhere) is left to Next.js, as is a route whose compiled form is not as
 * expected.
 *
 * To be called when Next.js has been prepared: compiled routes need its environment. They are the same modules that it
 * loads itself, for both are found through Node's cache of modules.
 */
export async function openCallRoutes(distDir: string): Promise<ResponseCall> {
  const routes = await loadRoutes(resolve(distDir, 'server'))
  return (req, res) => {
    if (req.method !== 'POST') return undefined
    for (const { pattern, post } of routes) {
      const found = pattern.exec(req.url ?? '')
      if (found)
        return post(undefined, { params: Promise.resolve({ ...found.groups }) }).then(response => end(res, response))
    }
    return undefined
  }
}

/** What Next.js does with the empty Response of an answer that has been written: it ends it. */
function end(res: ServerResponse, { status }: Response): void {
  if (res.writableEnded) return
  if (!res.headersSent) res.statusCode = status
  res.end()
}

async function loadRoutes(folder: string): Promise<CallRoute[]> {
  // Written by `next build`.
  const manifest = JSON.parse(readFileSync(join(folder, 'app-paths-manifest.json'), 'utf8')) as Record<string, string>
  const load = createRequire(join(folder, 'app-paths-manifest.json'))
  const routes: CallRoute[] = []
  for (const [route, file] of Object.entries(manifest)) {
    const pattern = describePath(route)
    const post = pattern && (await findPost(load(join(folder, file))))
    if (pattern && post) routes.push({ pattern, post })
  }
  return routes
}

/** The paths of a route such as `/api/external/pdf-tools/[toolId]/route`, written plainly; undefined of any other. */
function describePath(route: string): RegExp | undefined {
  const segments = /^\/(api\/external\/.+)\/route$/.exec(route)?.[1]?.split('/')
  const parts = segments?.map(segment =>
    /^[a-z0-9-]+$/.test(segment) ? segment : segment.replace(/^\[(\w+)\]$/, '(?<$1>[a-z0-9-]+)'),
  )
  // What is left with a bracket of its own is a path that catches all: the refusal of paths that lead nowhere.
  return parts === undefined || parts.some(part => part.startsWith('['))
    ? undefined
    : new RegExp(`^/${parts.join('/')}$`)
}

/** The compiled form of a route file, as far as it is used here (next/dist/build/templates/app-route.js). */
interface CompiledRoute {
  routeModule?: { ensureUserland?(): Promise<unknown>; userland?: { POST?: RouteHandler } }
}

async function findPost(compiled: unknown): Promise<RouteHandler | undefined> {
  const { routeModule } = (compiled ?? {}) as CompiledRoute // every member may be missing
  await routeModule?.ensureUserland?.()
  const post = routeModule?.userland?.POST
  return typeof post === 'function' ? post : undefined
}
