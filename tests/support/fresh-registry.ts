import { AsyncLocalStorage } from 'node:async_hooks'

// Files of one worker share its global object. Each file starts without the singletons that earlier files placed.
delete (globalThis as { [key: symbol]: unknown })[Symbol.for('sheaf.registry')]
// Next.js expects it before its first module. Without it, no test could read cookies.
Object.assign(globalThis, { AsyncLocalStorage })
