/**
 * Returns the only instance of a named object in this process, created on first use.
 *
 * Next.js compiles routes and pages into bundles, and our server is another bundle. Each bundle has its own copy of a
 * module, so they don't share module state. They share the global object.
 */
export function singleton<T>(name: string, create: () => T): T {
  const instances = allInstances()
  if (!instances.has(name)) instances.set(name, create())
  return instances.get(name) as T // All callers pass the same type for a name.
}

/** Returns the instance with this name, if it exists. */
export function findSingleton<T>(name: string): T | undefined {
  return allInstances().get(name) as T | undefined // as above
}

/** Stores an instance that was created elsewhere (at boot, or by a test). */
export function placeSingleton<T>(name: string, instance: T): T {
  allInstances().set(name, instance)
  return instance
}

const KEY = Symbol.for('sheaf.registry')

function allInstances(): Map<string, unknown> {
  const holder = globalThis as { [KEY]?: Map<string, unknown> }
  return (holder[KEY] ??= new Map())
}
