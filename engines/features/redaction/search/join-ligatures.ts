import type { PageText } from '../../../pdf/render'

const LAM = 'ل'
const ALEFS = 'اأإآ'

/**
 * Returns the texts of the characters of a page. Joins the two letters of a lam-alef ligature at the position of the
 * first letter. They stay in order even if PDFium reverses Arabic text.
 */
export function joinLigatures(characters: PageText): readonly string[] {
  const { texts } = characters
  const found = texts.flatMap((text, at) =>
    text === LAM && isAlef(texts[at + 1]) && sharesGlyph(characters, at) ? [at] : [],
  )
  if (found.length === 0) return texts
  const joined = [...texts]
  for (const at of found) {
    joined[at] = `${texts[at]}${texts[at + 1]}`
    joined[at + 1] = ''
  }
  return joined
}

function isAlef(text: string | undefined): boolean {
  return text !== undefined && text !== '' && ALEFS.includes(text)
}

function sharesGlyph(characters: PageText, at: number): boolean {
  const [one, other] = [characters.roomOf(at), characters.roomOf(at + 1)]
  return one !== undefined && other !== undefined && one.left === other.left && one.right === other.right
}
