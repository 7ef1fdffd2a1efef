/**
 * Whether letters and digits, without spaces, have the right check digits at their third and fourth place, as IBANs
 * (ISO 13616) and creditor references (ISO 11649) do (ISO/IEC 7064, MOD 97-10). Letter case doesn't count.
 */
export function passesMod97(text: string): boolean {
  let rest = 0
  for (const character of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
