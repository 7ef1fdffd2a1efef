import { readToUnicode } from '../../../pdf/fonts'
import { codeOfKey } from '../../../pdf/rewrite-content'
import { entryOf, streamOf } from '../examination/model'
import { isDingbat, listedCharacter } from './adobe-glyph-list'
import type { UsedFont } from './used-font'
import * as Name from '../../../pdf/names'

/** Stands for characters that are known to exist, though it doesn't matter which. */
export const SOME_TEXT = ' '

/** Opens /ToUnicode. Returns the text of a code, and undefined for a code that isn't mapped. */
export function openText({ document, dict }: UsedFont): (key: number) => string | undefined {
  const value = entryOf(document, dict, 'ToUnicode')
  const name = document.peekName(value) ?? document.peekName(streamOf(document, value)?.dict.get(Name.CMapName))
  if (name?.startsWith('Identity-')) return key => String.fromCharCode(codeOfKey(key).code)
  const map = readToUnicode(document, dict)
  return key => map?.textOf(key)
}

/** The text of a glyph name in the Adobe Glyph List or in ZapfDingbats. */
export function textOfName(name: string): string | undefined {
  const character = listedCharacter(name)
  if (character !== undefined) return String.fromCodePoint(character)
  return isDingbat(name) ? SOME_TEXT : undefined
}
