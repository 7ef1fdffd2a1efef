import { extname } from 'node:path'

/** Extensions of the files of each content type, the usual one first. */
const EXTENSIONS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'application/pdf': ['.pdf'],
  'application/zip': ['.zip'],
  'application/json': ['.json'],
  'application/xml': ['.xml'],
  'text/plain': ['.txt'],
  'text/markdown': ['.md', '.markdown'],
  'text/html': ['.hocr', '.html', '.htm'],
  'text/tab-separated-values': ['.tsv'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/webp': ['.webp'],
}

/** Returns the usual extension of a content type, such as `.pdf`. Undefined for an unknown type. */
export function usualExtension(contentType: string): string | undefined {
  return EXTENSIONS[contentType]?.[0]
}

/** Lists the extensions that fit one of these content types. */
export function listExtensions(contentTypes: readonly string[]): string[] {
  return contentTypes.flatMap(type => EXTENSIONS[type] ?? [])
}

/** Returns whether the extension of a name fits one of these content types. */
export function fitsTypes(name: string, contentTypes: readonly string[]): boolean {
  return listExtensions(contentTypes).includes(extname(name).toLowerCase())
}
