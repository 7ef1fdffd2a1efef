import { expect, test } from 'vitest'
import { readSfntTables } from '../../../../engines/pdf/fonts/programs/true-type/sfnt'
import { readFontFile } from '../../../../engines/pdf/text/fonts-by-script'
import { PINNED_FAMILIES } from '../../../../engines/webpage/browser-fonts/font-files'

test('every font file of the catalog is unpacked', () => {
  const files = PINNED_FAMILIES.flatMap(family => family.files)
  expect(files.filter(file => !readSfntTables(readFontFile(file)).has('glyf'))).toEqual([])
})
