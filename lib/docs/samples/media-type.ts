const MEDIA_TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  png: 'image/png',
}

/** The media type of a sample file by its name, or of several files that a sample sends in one loop. */
export function mediaTypeOf(...names: string[]): string {
  const types = new Set(names.map(name => MEDIA_TYPES[name.split('.').at(-1) ?? '']))
  const [type] = types
  return types.size === 1 && type !== undefined ? type : 'application/octet-stream'
}
