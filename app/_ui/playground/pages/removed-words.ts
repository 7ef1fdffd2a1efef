/**
 * Returns the pieces of a text that are missing in another one, in order. Words that stay have the same order in both
 * texts. Neighboring words make one piece.
 */
export function findRemoved(before: string, after: string): string[] {
  const stays = after.split(' ').filter(word => word !== '')
  const pieces: string[][] = []
  let next = 0
  let isOpen = false
  for (const word of before.split(' ').filter(one => one !== '')) {
    if (word === stays[next]) {
      next += 1
      isOpen = false
    } else {
      if (!isOpen) pieces.push([])
      pieces.at(-1)?.push(word)
      isOpen = true
    }
  }
  // A replacement text changes the words that stay, so nothing is known.
  return next < stays.length ? [] : pieces.map(words => words.join(' '))
}
