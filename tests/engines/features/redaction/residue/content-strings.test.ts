import { expect, it } from 'vitest'
import { readContentStrings } from '../../../../../engines/features/redaction/residue/content-strings'

it('a content stream has strings, names and the bytes between operands', () => {
  const content = '% first\n(one) % second\n <74776f> Tj /Na#6de gs % third\n'
  const strings = readContentStrings(Buffer.from(content)).map(String).join('|')
  for (const text of ['% first', 'one', '% second', 'two', '% third']) expect(strings).toContain(text)
})
