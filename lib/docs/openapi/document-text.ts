import { singleton } from '../../registry'
import { type OpenApiSettings, writeOpenApi } from './document'

/** Stands for the origin in the text that all origins share. */
const ANY_ORIGIN = 'https://origin.invalid'

/**
 * Returns the OpenAPI document of `writeOpenApi` as JSON. The document is written once in a process, because that takes
 * longer than a request may occupy the event loop.
 */
export function writeOpenApiText(origin: string, settings: OpenApiSettings): string {
  const text = singleton('openapi-text', () => JSON.stringify(writeOpenApi(ANY_ORIGIN, settings)))
  return text.replaceAll(ANY_ORIGIN, origin)
}
