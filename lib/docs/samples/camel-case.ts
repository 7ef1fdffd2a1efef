/** Writes `merge-pdf` as `mergePdf`. */
export function writeCamelCase(slug: string): string {
  return slug.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}
