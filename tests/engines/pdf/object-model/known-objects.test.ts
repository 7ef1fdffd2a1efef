import { expect, it } from 'vitest'
import { KnownObjects } from '../../../../engines/pdf/object-model'
import { openDocument } from '../../../../engines/pdf/open'
import { saveDocument } from '../../../../engines/pdf/save'
import { makeTrap } from '../../../fixtures/traps'
import type { Parts } from '../../../fixtures/traps'
import { LIMITS } from '../../../support/run-on'
import { findTraces } from '../../../support/traces'

function drop(parts: Parts, files: 'known' | 'unknown' = 'known'): { dropped: [string, number][]; saved: Uint8Array } {
  const document = openDocument(makeTrap(parts).file, LIMITS)
  const dropped = new KnownObjects(document, { files }).dropUnknown()
  const saved = saveDocument(document).join()
  expect([...new KnownObjects(openDocument(saved, LIMITS)).findUnknown()]).toEqual([])
  return { dropped: [...dropped], saved }
}

it('a page as Sheaf and others write it has nothing unknown', () => {
  const link = '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Border[0 0 0]/A<</S/URI/URI(https://example.org)>>>>'
  const { dropped } = drop({
    page: () => `/Rotate 90/Tabs/S/Annots[${link}]/Group<</S/Transparency/CS/DeviceRGB>>`,
    catalog: pdf =>
      `/Lang(en)/MarkInfo<</Type/MarkInfo/Marked true>>/Metadata ${pdf.addStream('/Type/Metadata/Subtype/XML', '<x/>')} 0 R` +
      '/ViewerPreferences<</Type/ViewerPreferences/DisplayDocTitle true>>/PageLabels<</Nums[0<</S/r>>]>>',
  })
  expect(dropped).toEqual([])
})

it.each<[string, Parts, [string, number][]]>([
  ['a key that no object has', { page: () => '/Hidden(SECRETWORD)' }, [['other', 1]]],
  ['a key of another object', { page: () => '/Title(SECRETWORD)' }, [['Title', 1]]],
  ['a value of the wrong kind', { page: () => '/Rotate(SECRETWORD)' }, [['Rotate', 1]]],
  ['a nested dictionary', { page: () => '/Trans<</Type/Trans/S/R/Note(SECRETWORD)>>' }, [['other', 1]]],
  ['an item of an array', { page: () => '/MediaBox[0 0(SECRETWORD)300 300]' }, [['other', 1]]],
  [
    'private data of a program',
    { catalog: pdf => `/PieceInfo<</Program<</Private ${pdf.addStream('', 'SECRETWORD')} 0 R>>>>` },
    [['PieceInfo', 1]],
  ],
  [
    'a key of an annotation of another kind',
    { page: () => '/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/RC(SECRETWORD)>>]' },
    [['RC', 1]],
  ],
  [
    'a page outside the page tree',
    {
      catalog: pdf => {
        const lost = pdf.add(`<</Type/Page/MediaBox[0 0 9 9]/Contents ${pdf.addStream('', '(SECRETWORD) Tj')} 0 R>>`)
        return `/OpenAction[${lost} 0 R/Fit]`
      },
    },
    [['other', 1]],
  ],
  [
    'a widget that is on no page',
    { catalog: pdf => `/AcroForm<</Fields[${pdf.add('<</Subtype/Widget/FT/Tx/T(a)/V(SECRETWORD)>>')} 0 R]>>` },
    [['other', 1]],
  ],
])('%s is dropped', (_what, parts, expected) => {
  expect(findTraces(makeTrap(parts).file, ['SECRETWORD'])).toEqual(['SECRETWORD'])
  const { dropped, saved } = drop(parts)
  expect(dropped).toEqual(expected)
  expect(findTraces(saved, ['SECRETWORD'])).toEqual([])
})

it('fields of a widget stay, also if the form does not list them', () => {
  const { dropped } = drop({
    page: pdf => `/Annots[${pdf.add('<</Subtype/Widget/Rect[0 0 9 9]/FT/Tx/T(a)/V(text)/DA(/F 9 Tf)/MaxLen 9>>')} 0 R]`,
  })
  expect(dropped).toEqual([])
})

it('an object that others refer to without a type keeps only the keys of its own type', () => {
  const { dropped, saved } = drop({
    page: () => '/Tabs/Unusual/StructParents 0/Hidden(SECRETWORD)',
    catalog: (pdf, page) =>
      `/StructTreeRoot ${pdf.add(`<</Type/StructTreeRoot/K<</Type/StructElem/S/P/P<<>>/K<</Type/OBJR/Obj ${page} 0 R>>>>>>`)} 0 R`,
  })
  expect(dropped).toEqual([['other', 1]])
  expect(findTraces(saved, ['SECRETWORD'])).toEqual([])
})

it('the data of attached files is dropped on request', () => {
  const parts: Parts = {
    catalog: pdf => {
      const file = pdf.add(`<</Type/Filespec/F(a)/EF<</F ${pdf.addStream('/Type/EmbeddedFile', 'SECRETWORD')} 0 R>>>>`)
      return `/Names<</EmbeddedFiles<</Names[(a)${file} 0 R]>>>>`
    },
  }
  expect(drop(parts).dropped).toEqual([])
  const { dropped, saved } = drop(parts, 'unknown')
  expect(dropped).toEqual([['EF', 1]])
  expect(findTraces(saved, ['SECRETWORD'])).toEqual([])
})

it('the streams of attached files are found wherever a file refers to them', () => {
  const { file } = makeTrap({
    catalog: pdf => `/AF[<</F(a)/EF<</F ${pdf.addStream('', 'text')} 0 R>>>>]`,
  })
  expect(new KnownObjects(openDocument(file, LIMITS)).withType('AFEmbeddedFileStream')).toHaveLength(1)
})
