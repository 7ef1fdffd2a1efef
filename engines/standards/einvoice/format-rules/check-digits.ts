/** Returns whether a GLN or GTIN has a valid check digit (GS1 General Specifications, 7.9.1). */
export function isGs1(text: string): boolean {
  if (!/^\d{2,}$/.test(text)) return false
  const digits = [...text].map(Number)
  const check = digits.pop() ?? 0
  const sum = digits.reverse().reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 3 : 1), 0)
  return (10 - (sum % 10)) % 10 === check
}

/** Returns whether a Norwegian organization number is valid (modulo 11). */
export function isNorwegian(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false
  const weights = [3, 2, 7, 6, 5, 4, 3, 2]
  const sum = weights.reduce((total, weight, index) => total + weight * Number(text[index]), 0)
  return (11 - (sum % 11)) % 11 === Number(text[8])
}

/** Returns whether a Danish CVR number has the right form. */
export function isDanish(text: string): boolean {
  return /^(?:DK)?\d{8}$/.test(text)
}

/** Returns whether a Belgian enterprise number is valid (modulo 97). */
export function isBelgian(text: string): boolean {
  return /^\d{10}$/.test(text) && 97 - (Number(text.slice(0, 8)) % 97) === Number(text.slice(8))
}

/** Returns whether a Swedish organization number is valid (Luhn). */
export function isSwedish(text: string): boolean {
  if (!/^\d{10}$/.test(text)) return false
  const sum = [...text].map(Number).reduce((total, digit, index) => {
    const weighted = index % 2 === 0 ? digit * 2 : digit
    return total + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return sum % 10 === 0
}

/** Returns whether an Australian business number is valid (modulo 89). */
export function isAustralian(text: string): boolean {
  if (!/^\d{11}$/.test(text)) return false
  const weights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]
  const sum = weights.reduce((total, weight, index) => {
    const digit = Number(text[index])
    return total + weight * (index === 0 ? digit - 1 : digit)
  }, 0)
  return sum % 89 === 0
}

/** Returns whether a Greek tax number is valid (powers of two, modulo 11). */
export function isGreek(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false
  const sum = [...text.slice(0, 8)].reduce((total, digit, index) => total + Number(digit) * 2 ** (8 - index), 0)
  return (sum % 11) % 10 === Number(text[8])
}
