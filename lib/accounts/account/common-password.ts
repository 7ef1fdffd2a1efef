/** A password with fewer different characters is easy to guess, such as `1212121212`. */
const LEAST_DIFFERENT = 5

let loaded: Promise<ReadonlySet<string>> | undefined

/**
 * Returns whether a password is one of the about 50,000 most common ones, has fewer than 5 different characters, or is
 * a sequence such as `abcdefghij` or `9876543210` (NIST SP 800-63B, 3.1.1.2). Upper and lower case are the same.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const text = password.normalize('NFKC').toLowerCase()
  if (new Set(text).size < LEAST_DIFFERENT || isSequence(text)) return true
  loaded ??= loadPasswords()
  return (await loaded).has(text)
}

/** Loaded with the first new password, because unpacking the list takes a quarter of a second. */
async function loadPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}

/** Returns whether each character follows the one before it by the same step. After 9 comes 0. */
function isSequence(text: string): boolean {
  const codes = [...text].map(character => character.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0))
  return [1, -1].some(step => steps.every(one => one === step || one === -9 * step))
}
