import type { Engines } from '../engines/run'
import { findSingleton } from './registry'

/** Name of the engines in the registry, where boot places them. */
export const ENGINES = 'engines'

/** The engine processes of this server. Throws before boot has started them. */
export function getEngines(): Engines {
  const engines = findSingleton<Engines>(ENGINES)
  if (!engines) throw new Error('The engines have not been started')
  return engines
}
