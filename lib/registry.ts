/**
 * Gives the one instance of a named object in this process, made on first use.
 *
 * Next.js compiles every route and page into bundles, and our server is one more; each of them holds its own copy of a
 * module, so module-level state is not shared between them; the global object is.
 */
export function singleton<T>(name: string, create: () => T): T {
  const instances = allInstances()
  if (!instances.has(name)) instances.set(name, create())
  return instances.get(name) as T // every caller of one name passes the same type
}

/** The instance of that name, if one was made or placed. */
export function findSingleton<T>(name: string): T | undefined {
  return allInstances().get(name) as T | undefined // as above
}

/** Places an instance made elsewhere (at boot, or by a test). */
export function placeSingleton<T>(name: string, instance: T): T {
  allInstances().set(name, instance)
  return instance
}

const KEY = Symbol.for('sheaf.registry')

function allInstances(): Map<string, unknown> {
  const holder = globalThis as { [KEY]?: Map<string, unknown> }
  return (holder[KEY] ??= new Map())
}
