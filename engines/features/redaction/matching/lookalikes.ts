/** Cyrillic, Greek and other letters that look like a Latin letter (Unicode Technical Standard #39). */
const LOOKALIKES = new Map(
  (
    'АAВBЕEКKМMНHОOРPСCТTХXУYІIЅSЈJԚQԜWҮYӀIаaеeоoрpсcхxуyіiѕsјjһhԁdԛqԝwӏlүyкk' +
    'ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοoνvρpιiαaυuϲcϳjɑaɡgɩiօoսuհhոn'
  )
    .match(/../gu)
    ?.map(pair => Array.from(pair) as [string, string]),
)

const IN_WORD = /^[\p{L}\p{N}\p{M}\p{Cf}]+$/u

/** Returns whether a character is a letter of another script that looks like a Latin one. */
export function isLookalike(character: string): boolean {
  return LOOKALIKES.has(character)
}

/**
 * Returns the characters with Latin letters in words that mix them with letters of other scripts that look the same.
 * Undefined without such words.
 */
export function replaceLookalikes(characters: readonly string[]): string[] | undefined {
  let read: string[] | undefined
  for (let at = 0; at < characters.length; at++) {
    let [end, hasLatin, hasLookalike] = [at, false, false]
    for (; end < characters.length && IN_WORD.test(characters[end] as string); end++) {
      hasLatin ||= /[a-z]/i.test(characters[end] as string)
      hasLookalike ||= LOOKALIKES.has(characters[end] as string)
    }
    if (hasLatin && hasLookalike) {
      read ??= [...characters]
      for (let inner = at; inner < end; inner++)
        read[inner] = LOOKALIKES.get(characters[inner] as string) ?? (characters[inner] as string)
    }
    at = Math.max(at, end)
  }
  return read
}
