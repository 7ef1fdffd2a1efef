/** Returns whether a text has only blanks, or nothing. */
export function isBlankText(text: string): boolean {
  const first = text.charCodeAt(0)
  // Most texts begin with a visible character of ASCII.
  return !(first > 0x20 && first < 0x80) && text.trim() === ''
}
