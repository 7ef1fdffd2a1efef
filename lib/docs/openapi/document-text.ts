import { singleton } from '../../registry'
import { ANY_ORIGIN } from '../any-origin'
import { type OpenApiSettings, writeOpenApi } from './document'

/**
 * Returns the OpenAPI document of `writeOpenApi` as JSON. The document is written once in a process, because that takes
 * longer than a request may occupy the event loop.
 */
export function writeOpenApiText(origin: string, settings: OpenApiSettings): string {
  const text = singleton('openapi-text', () => JSON.stringify(writeOpenApi(ANY_ORIGIN, settings)))
  return text.replaceAll(ANY_ORIGIN, origin)
}
