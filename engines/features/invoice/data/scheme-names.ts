/** Names of identifier schemes by their codes (ISO 6523). They are the same in all languages. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['0002', 'SIREN'],
  ['0009', 'SIRET'],
  ['0060', 'D-U-N-S'],
  ['0088', 'GLN'],
  ['0160', 'GTIN'],
  ['0199', 'LEI'],
  ['0204', 'Leitweg-ID'],
])

/** Returns the name that people use for identifiers of a scheme. Undefined if there is none. */
export function nameScheme(code: string | undefined): string | undefined {
  return code === undefined ? undefined : NAMES.get(code.trim())
}
