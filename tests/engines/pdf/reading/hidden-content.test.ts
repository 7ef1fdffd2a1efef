import { describe, expect, it } from 'vitest'
import { openDocument } from '../../../../engines/pdf/open'
import { PageReader, joinWords } from '../../../../engines/pdf/read-page'
import type { PdfWriter } from '../../../fixtures/pdf-writer'
import { makeTrap } from '../../../fixtures/traps'
import type { Parts } from '../../../fixtures/traps'
import { LIMITS } from '../../../support/run-on'
import { readDrawn, readWords } from './read-drawn'

const show = (text: string, y = 50): string => `BT /F 10 Tf 20 ${y} Td (${text}) Tj ET`

/** A page with the layers /ON and /OFF, memberships of them, and a form of each content in `forms`. */
function withLayers(
  forms: Record<string, { content: string; entries?: (layers: Layers) => string }> = {},
): Omit<Parts, 'content'> {
  let layers: Layers | undefined
  return {
    resources: (pdf, font) => {
      const [on, off] = [pdf.add('<</Type/OCG/Name(on)>>'), pdf.add('<</Type/OCG/Name(off)>>')]
      const own = (layers = { on, off })
      const member = (entries: string): string => `<</Type/OCMD/OCGs[${on} 0 R ${off} 0 R]${entries}>>`
      const lists =
        `/ON ${on} 0 R/OFF ${off} 0 R/Any ${member('')}/All ${member('/P/AllOn')}/NoneOff ${member('/P/AnyOff')}` +
        `/None ${member('/P/AllOff')}/Not ${member(`/VE[/Not ${off} 0 R]`)}/And ${member(`/VE[/And ${on} 0 R ${off} 0 R]`)}`
      const xobjects = Object.entries(forms).map(
        ([name, { content, entries }]) => `/${name} ${addForm(pdf, font, content, entries?.(own) ?? '')} 0 R`,
      )
      return `/Properties<<${lists}>>/XObject<<${xobjects.join('')}>>`
    },
    catalog: () => `/OCProperties<</OCGs[${layers?.on} 0 R ${layers?.off} 0 R]/D<</OFF[${layers?.off} 0 R]>>>>`,
  }
}

interface Layers {
  on: number
  off: number
}

function addForm(pdf: PdfWriter, font: number, content: string, entries: string): number {
  return pdf.addStream(
    `/Type/XObject/Subtype/Form/BBox[0 0 300 300]${entries}/Resources<</Font<</F ${font} 0 R>>>>`,
    content,
  )
}

describe('hidden layers are left out', () => {
  it.each<[string, string, string[]]>([
    ['around text', `/OC /OFF BDC ${show('HIDDEN')} EMC ${show('SHOWN')}`, ['SHOWN']],
    ['but not others', `/OC /ON BDC ${show('SHOWN')} EMC`, ['SHOWN']],
    [
      'around visible layers',
      `/OC /OFF BDC /OC /ON BDC ${show('HIDDEN')} EMC ${show('HIDDEN')} EMC ${show('SHOWN')}`,
      ['SHOWN'],
    ],
    ['inside visible layers', `/OC /ON BDC /OC /OFF BDC ${show('HIDDEN')} EMC ${show('SHOWN')} EMC`, ['SHOWN']],
    ['around other marks', `/OC /OFF BDC /Span BMC ${show('HIDDEN')} EMC EMC ${show('SHOWN')}`, ['SHOWN']],
    ['but not as properties of other marks', `/Span /OFF BDC ${show('SHOWN')} EMC`, ['SHOWN']],
    ['that a policy shows', `/OC /Any BDC ${show('SHOWN')} EMC`, ['SHOWN']],
    ['that another policy shows', `/OC /NoneOff BDC ${show('SHOWN')} EMC`, ['SHOWN']],
    ['by a policy', `/OC /All BDC ${show('HIDDEN')} EMC ${show('SHOWN')}`, ['SHOWN']],
    ['by another policy', `/OC /None BDC ${show('HIDDEN')} EMC ${show('SHOWN')}`, ['SHOWN']],
    ['that an expression shows', `/OC /Not BDC ${show('SHOWN')} EMC`, ['SHOWN']],
    ['by an expression', `/OC /And BDC ${show('HIDDEN')} EMC ${show('SHOWN')}`, ['SHOWN']],
    ['with the text that moves the next one', `BT /F 10 Tf 20 50 Td /OC /OFF BDC (AB) Tj EMC (SHOWN) Tj ET`, ['SHOWN']],
  ])('%s', (_, content, words) => {
    const { glyphs, list, hasHidden } = readDrawn(content, withLayers())
    expect(joinWords(list).map(({ text }) => text)).toEqual(words)
    expect(hasHidden).toBe(content.includes('HIDDEN') || content.includes('AB'))
    if (content.includes('AB')) expect(glyphs[0]?.x).toBe(32)
  })

  it.each<[string, string, Parameters<typeof withLayers>[0], string[]]>([
    [
      'of a form',
      `/X Do ${show('SHOWN')}`,
      { X: { content: show('HIDDEN'), entries: ({ off }) => `/OC ${off} 0 R` } },
      ['SHOWN'],
    ],
    ['but not others', '/X Do', { X: { content: show('SHOWN'), entries: ({ on }) => `/OC ${on} 0 R` } }, ['SHOWN']],
    ['around a form', `/OC /OFF BDC /X Do EMC ${show('SHOWN')}`, { X: { content: show('HIDDEN') } }, ['SHOWN']],
    [
      'in a form',
      '/X Do',
      {
        X: {
          content: `/OC /OFF BDC ${show('HIDDEN')} EMC ${show('SHOWN')}`,
          entries: ({ off }) => `/Resources<</Properties<</OFF ${off} 0 R>>>>`,
        },
      },
      ['SHOWN'],
    ],
    [
      'that a form does not end',
      `/X Do ${show('SHOWN')}`,
      { X: { content: `/OC /OFF BDC ${show('HIDDEN')}` } },
      ['SHOWN'],
    ],
    [
      'that a form ends for the page',
      `/OC /OFF BDC /X Do ${show('HIDDEN')} EMC ${show('SHOWN')}`,
      { X: { content: 'EMC' } },
      ['SHOWN'],
    ],
  ])('%s (form)', (_, content, forms, words) => {
    expect(readWords(content, withLayers(forms))).toEqual(words)
  })

  it('unless all layers are read', () => {
    const { file } = makeTrap({ ...withLayers(), content: `/OC /OFF BDC ${show('HIDDEN')} EMC` })
    const reader = new PageReader(openDocument(new Uint8Array(file), LIMITS), { layers: 'all' })
    expect(reader.readWords(0).map(({ text }) => text)).toEqual(['HIDDEN', 'BESIDE'])
  })
})

describe('marks that nest too deep', () => {
  it.each<[string, string, Parameters<typeof withLayers>[0], string[]]>([
    ['have no effect', `${'/A BMC '.repeat(1000)}/OC /OFF BDC ${show('SHOWN')} EMC`, {}, ['SHOWN']],
    [
      'end before those around them',
      `/OC /OFF BDC ${'/A BMC '.repeat(1200)}${'EMC '.repeat(1200)}${show('HIDDEN')} EMC ${show('SHOWN')}`,
      {},
      ['SHOWN'],
    ],
    [
      'end with their form',
      `/OC /OFF BDC ${'/A BMC '.repeat(999)}/X Do ${'EMC '.repeat(1000)}${show('SHOWN')}`,
      { X: { content: '/A BMC '.repeat(50) } },
      ['SHOWN'],
    ],
    [
      'do not end in a form',
      `/OC /OFF BDC ${'/A BMC '.repeat(1050)}/X Do ${'EMC '.repeat(1050)}${show('HIDDEN')} EMC ${show('SHOWN')}`,
      { X: { content: 'EMC '.repeat(50) } },
      ['SHOWN'],
    ],
  ])('%s', (_, content, forms, words) => {
    expect(readWords(content, withLayers(forms))).toEqual(words)
  })
})

describe('the marks of text', () => {
  it.each<[string, string, number, boolean]>([
    ['without marks', show('A'), -1, false],
    ['with an identifier', `/P<</MCID 3>> BDC ${show('A')} EMC`, 3, false],
    ['with an inner mark', `/P<</MCID 3>> BDC /Span BMC ${show('A')} EMC EMC`, 3, false],
    ['with an inner identifier', `/P<</MCID 3>> BDC /Span<</MCID 4>> BDC ${show('A')} EMC EMC`, 4, false],
    ['after marks', `/P<</MCID 3>> BDC EMC ${show('A')}`, -1, false],
    ['as an artifact', `/Artifact BMC ${show('A')} EMC`, -1, true],
    ['as an artifact with properties', `/Artifact<</Type/Pagination>> BDC ${show('A')} EMC`, -1, true],
    ['inside an artifact', `/Artifact BMC /Span BMC ${show('A')} EMC EMC`, -1, true],
  ])('%s', (_, content, mcid, isArtifact) => {
    expect(readDrawn(content).glyphs[0]?.style).toMatchObject({ mcid, isArtifact })
  })

  it('in a form do not count for the page', () => {
    const parts = withLayers({ X: { content: `/P<</MCID 7>> BDC ${show('A')} EMC` } })
    expect(readDrawn('/X Do', parts).glyphs[0]?.style.mcid).toBe(-1)
    expect(readDrawn('/P<</MCID 2>> BDC /X Do EMC', parts).glyphs[0]?.style.mcid).toBe(2)
  })
})

describe('text without ink', () => {
  const FILL = '0 0 300 300 re f'
  const clip = (text = 'A'): string => `BT 7 Tr /F 10 Tf 20 50 Td (${text}) Tj ET`

  it.each<[string, string, boolean]>([
    ['is unseen', `BT 3 Tr /F 10 Tf 20 50 Td (A) Tj ET ${FILL}`, true],
    ['is seen in other modes', '1 Tr BT /F 10 Tf 20 50 Td (A) Tj ET', false],
    ['is seen if it also clips', 'BT 4 Tr /F 10 Tf 20 50 Td (A) Tj ET', false],
    ['is unseen if it clips nothing', clip(), true],
    ['is seen if it clips a fill', `${clip()} ${FILL}`, false],
    ['is seen if it clips a stroke', `${clip()} 0 0 m 300 300 l S`, false],
    ['is seen if it clips a shading', `${clip()} /S sh`, false],
    ['is seen if it clips an inline image', `${clip()} BI /W 1/H 1/CS/G/BPC 8 ID \x00 EI`, false],
    ['is seen if it clips in a nested state', `${clip()} q ${FILL} Q`, false],
    ['is unseen if the clip ends before', `q ${clip()} Q ${FILL}`, true],
    ['is unseen if nothing is painted in its state', `${FILL} q ${clip()} Q q ${FILL} Q`, true],
    ['is unseen if the fill is hidden', `${clip()} /OC /OFF BDC ${FILL} EMC`, true],
    ['is unseen if a path is not painted', `${clip()} 0 0 300 300 re n`, true],
    ['is unseen if another clip ends', `q ${clip()} q ${clip('B')} Q Q ${FILL}`, true],
    ['is seen if an inner clip ends before', `${clip()} q ${clip('B')} Q ${FILL}`, false],
    ['is seen if a state ends that never began', `Q Q ${clip()} Q Q Q ${FILL}`, false],
  ])('%s', (_, content, isUnseen) => {
    expect(readDrawn(content, withLayers()).glyphs[0]?.style.isUnseen).toBe(isUnseen)
  })

  it.each<[string, string, string, boolean]>([
    ['in a form that paints', '/X Do', `${clip()} ${FILL}`, false],
    ['in a form that ends before', `/X Do ${FILL}`, clip(), true],
    ['in a form within a state', `q /X Do Q ${FILL}`, clip(), true],
    ['around a form that paints', `${clip()} /X Do`, FILL, false],
    ['around a form without paint', `${clip()} /X Do`, '', true],
  ])('%s', (_, content, form, isUnseen) => {
    expect(readDrawn(content, withLayers({ X: { content: form } })).glyphs[0]?.style.isUnseen).toBe(isUnseen)
  })
})

describe('content over the limit', () => {
  it('is cut after 300,000 glyphs', () => {
    const content = `BT /F 1 Tf 20 50 Td ${`(${'AB'.repeat(1000)}) Tj `.repeat(151)} ET`
    const { file } = makeTrap({ content })
    const document = openDocument(new Uint8Array(file), LIMITS)
    const [page] = document.pages
    const contents = page && new PageReader(document).read(page)
    expect([contents?.isCut, contents?.glyphs.length]).toEqual([true, 300_000])
  })

  it('is cut after 3,000,000 characters', () => {
    const text = Buffer.from('AB'.repeat(250), 'utf16le').swap16().toString('hex')
    const parts: Omit<Parts, 'content'> = {
      resources: pdf => {
        const map = pdf.addStream(
          '',
          `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <41> <${text}> endbfchar endcmap end`,
        )
        return `/Font<</M ${pdf.add(`<</Type/Font/Subtype/Type1/BaseFont/Courier/ToUnicode ${map} 0 R>>`)} 0 R>>`
      },
    }
    const read = (count: number) => readDrawn(`BT /M 1 Tf 20 50 Td (${'A'.repeat(count)}) Tj ET`, parts)
    expect([read(100).isCut, read(40_000).isCut]).toEqual([false, true])
  })

  it('is not cut on a usual page', () => {
    expect(readDrawn(show('ABC'))).toMatchObject({
      isCut: false,
      isWhole: true,
      hasHidden: false,
      replacedGlyphs: undefined,
    })
  })

  it('is told if a stream cannot be decoded', () => {
    const broken = withLayers()
    const resources = (pdf: PdfWriter): string =>
      `/XObject<</X ${pdf.addPlainStream('/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Filter/Unknown', 'x')} 0 R>>`
    expect(readDrawn('/X Do', { ...broken, resources, catalog: () => '' }).isWhole).toBe(false)
  })
})
