import type { Engines, WebPrinter } from '../engines/create-engines'
import { findSingleton } from './registry'

/** Name of the engines in the registry, which boot sets. */
export const ENGINES = 'engines'

/** The engine processes of this server. Throws before boot has started them. */
export function getEngines(): Engines {
  const engines = findSingleton<Engines>(ENGINES)
  if (!engines) throw new Error('The engines have not been started')
  return engines
}

/** Name of the page renderer in the registry, which boot sets. */
export const PAGES = 'pages'

/** The page renderer of this server. Throws before boot has started it. */
export function getWebPrinter(): WebPrinter {
  const pages = findSingleton<WebPrinter>(PAGES)
  if (!pages) throw new Error('The page renderer has not been started')
  return pages
}
