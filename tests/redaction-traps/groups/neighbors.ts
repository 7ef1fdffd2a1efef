import type { PdfWriter } from '../../fixtures/pdf-writer'
import { addForm, UNDER } from '../../fixtures/traps'
import { BY_AREA, fromDrafts, shownText } from '../draft'
import type { Draft } from '../draft'
import type { TrapGroup } from '../trap'

const NEAR = `[${UNDER.x} ${UNDER.y} ${UNDER.x + 40} ${UNDER.y + 20}]`
const FAR = '[250 250 270 270]'

/** A note with a reply by another author in another place. */
function addReply(pdf: PdfWriter, page: number, note: string, reply: string): string {
  const [first, popup, second] = [pdf.reserve(), pdf.reserve(), pdf.reserve()]
  pdf.set(first, `<</Type/Annot/Subtype/Text/Rect${NEAR}/P ${page} 0 R/Popup ${popup} 0 R${note}>>`)
  pdf.set(popup, `<</Type/Annot/Subtype/Popup/Rect[200 200 290 240]/Parent ${first} 0 R>>`)
  pdf.set(second, `<</Type/Annot/Subtype/Text/Rect${FAR}/P ${page} 0 R/IRT ${first} 0 R/RT/R${reply}>>`)
  return `/Annots[${first} 0 R ${popup} 0 R ${second} 0 R]`
}

/** Two fields that show the secret and other words. */
function listBoxes(
  secret: string,
  options: (pdf: PdfWriter) => string,
  kind: (pdf: PdfWriter) => string = () => '/FT/Ch',
): Draft {
  let fields = ''
  return {
    parts: {
      page: (pdf, page) => {
        const look = pdf.addStream(
          '/Type/XObject/Subtype/Form/BBox[0 0 120 40]/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Courier>>>>>>',
          `/Tx BMC BT /F 9 Tf 2 28 Td (KEEPONE) Tj 0 -11 Td (${secret}) Tj 0 -11 Td (KEEPTWO) Tj ET EMC`,
        )
        const [shared, entries] = [options(pdf), kind(pdf)]
        const made = [60, 10].map((y, index) =>
          pdf.add(
            `<</Type/Annot/Subtype/Widget/T(l${index})/DA(/F 9 Tf)/Rect[150 ${y} 270 ${y + 40}]/P ${page} 0 R` +
              `/AP<</N ${look} 0 R>>${entries}${entries === '/FT/Ch' ? `/Opt ${shared}` : ''}>>`,
          ),
        )
        fields = made.map(field => `${field} 0 R`).join(' ')
        return `/Annots[${fields}]`
      },
      catalog: () => `/AcroForm<</Fields[${fields}]>>`,
    },
    stays: ['BESIDE', 'KEEPONE', 'KEEPTWO'],
  }
}

/** What a field shows: three lines, or one. The secret is under the area. */
const LINES = '40 65 Td (KEEPONE) Tj 0 -20 Td (SECRET) Tj 0 -20 Td (KEEPTWO) Tj'
const ONE_LINE = '/F 5 Tf 19 45 Td (KEEPONE) Tj /F 15 Tf (SECRET) Tj /F 5 Tf (KEEPTWO) Tj'

/** A field with a background and letters, of which the area covers the secret. */
function partlyUnder(shown: string, secret: string, entries: string): Draft {
  let field = 0
  return {
    ...BY_AREA,
    parts: {
      page: (pdf, page) => {
        const font = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>')
        const appearance = pdf.addStream(
          `/Type/XObject/Subtype/Form/BBox[0 0 270 85]/Resources<</Font<</F ${font} 0 R>>>>`,
          `1 1 .8 rg 0 0 270 85 re f /Tx BMC BT 0 g /F 15 Tf ${shown.replace('SECRET', secret)} ET EMC`,
        )
        field = pdf.add(
          `<</Type/Annot/Subtype/Widget/T(f)${entries}/DA(/F 15 Tf)/F 4/Rect[20 100 290 185]/P ${page} 0 R/AP<</N ${appearance} 0 R>>>>`,
        )
        return `/Annots[${field} 0 R]`
      },
      catalog: () => `/AcroForm<</Fields[${field} 0 R]>>`,
    },
    stays: ['BESIDE', 'KEEPONE', 'KEEPTWO'],
  }
}

export const NEIGHBORS: TrapGroup = {
  name: 'What must stay',
  cause: 'Content that redaction must not remove: replies, neighboring words, and the same letters elsewhere.',
  constructions: [
    fromDrafts('neighbor: a reply by another author', [
      secret => ({
        ...BY_AREA,
        parts: {
          page: (pdf, page) => addReply(pdf, page, `/T(Ann)/Contents(${secret})`, '/T(Bob)/Contents(KEEPREPLY)'),
        },
        stays: ['BESIDE', 'KEEPREPLY', 'Bob'],
      }),
      secret => ({
        parts: {
          page: (pdf, page) =>
            addReply(pdf, page, `/T(Ann)/Contents(about ${secret})`, `/T(Bob)/Contents(KEEPREPLY to ${secret})`),
        },
        stays: ['BESIDE', 'KEEPREPLY', 'Bob'],
      }),
      secret => ({
        ...BY_AREA,
        parts: {
          page: (pdf, page) =>
            addReply(
              pdf,
              page,
              `/T(${secret})/Contents(x)/RC(<p>${secret}</p>)`,
              '/T(Bob)/Contents(KEEPREPLY)/Subj(KEEPSUBJECT)',
            ),
        },
        stays: ['BESIDE', 'KEEPREPLY', 'KEEPSUBJECT', 'Bob'],
      }),
    ]),
    fromDrafts('neighbor: a note elsewhere on the page', [
      secret => ({
        ...BY_AREA,
        parts: {
          page: (pdf, page) =>
            `/Annots[${pdf.add(`<</Type/Annot/Subtype/Text/Rect${NEAR}/P ${page} 0 R/T(Ann)/Contents(${secret})>>`)} ` +
            `0 R ${pdf.add(`<</Type/Annot/Subtype/Text/Rect${FAR}/P ${page} 0 R/T(Bob)/Contents(KEEPNOTE)>>`)} 0 R]`,
        },
        stays: ['BESIDE', 'KEEPNOTE', 'Bob'],
      }),
      secret => ({
        parts: {
          page: (pdf, page) =>
            `/Annots[${pdf.add(`<</Type/Annot/Subtype/Text/Rect${NEAR}/P ${page} 0 R/T(Ann)/Contents(KEEPFIRST ${secret} KEEPLAST)>>`)} ` +
            '0 R]',
        },
        stays: ['BESIDE', 'KEEPFIRST', 'KEEPLAST', 'Ann'],
      }),
    ]),
    fromDrafts('neighbor: words in the same text string', [
      secret => ({
        parts: { content: shownText(`KEEPA ${secret} KEEPB`, '10 145 Td') },
        stays: ['BESIDE', 'KEEPA', 'KEEPB'],
      }),
      secret => ({
        parts: {
          content: `BT /F 12 Tf 10 145 Td [(KE)-20(EPA )(${secret.slice(0, 3)})-30(${secret.slice(3)})50( KEE)-10(PB)] TJ ET`,
        },
        stays: ['BESIDE', 'KEEPA', 'KEEPB'],
        seenBy: ['pdfium'],
      }),
      secret => ({
        parts: { content: `BT /F 12 Tf 3 Tw 1 Tc 90 Tz 10 145 Td (KEEPA ${secret} KEEPB) Tj ET` },
        stays: ['BESIDE', 'KEEPA', 'KEEPB'],
      }),
      secret => ({
        parts: { content: `BT /F 12 Tf 14 TL 10 160 Td (KEEPA ${secret}) Tj (KEEPB) ' 2 1 (KEEPC) " ET` },
        stays: ['BESIDE', 'KEEPA', 'KEEPB', 'KEEPC'],
      }),
    ]),
    fromDrafts('neighbor: lines directly above and below', [
      secret => ({
        parts: {
          content: `${shownText('KEEPABOVE', '60 159 Td')} ${shownText(secret)} ${shownText('KEEPBELOW', '60 131 Td')}`,
        },
        stays: ['BESIDE', 'KEEPABOVE', 'KEEPBELOW'],
      }),
      secret => ({
        ...BY_AREA,
        parts: {
          content: `${shownText('KEEPABOVE', '60 164 Td')} ${shownText(secret)} ${shownText('KEEPBELOW', '60 126 Td')}`,
        },
        stays: ['BESIDE', 'KEEPABOVE', 'KEEPBELOW'],
      }),
    ]),
    fromDrafts('neighbor: the same letters in other words', [
      secret => ({
        parts: { content: `${shownText(secret)} ${shownText(`PRE${secret.slice(1)}`, '60 100 Td')}` },
        options: { search: [{ text: secret, wholeWord: true }] },
        stays: ['BESIDE', `PRE${secret.slice(1)}`],
      }),
      secret => ({
        parts: {
          content: `${shownText(secret)} ${shownText(`${secret.slice(0, 6)} ${secret.slice(0, 5)}`, '60 100 Td')}`,
        },
        stays: ['BESIDE', secret.slice(0, 6)],
      }),
      secret => ({
        parts: { content: `${shownText(`${secret} `)} ${shownText([...secret].reverse().join(''), '60 100 Td')}` },
        stays: ['BESIDE', [...secret].reverse().join('')],
      }),
    ]),
    fromDrafts('neighbor: other fields of the form', [
      secret => {
        let fields: number[] = []
        return {
          ...BY_AREA,
          parts: {
            page: (pdf, page) => {
              fields = [
                [NEAR, 'one', secret],
                [FAR, 'two', 'KEEPVALUE'],
              ].map(([rect, name, value]) =>
                pdf.add(
                  `<</Type/Annot/Subtype/Widget/FT/Tx/T(${name ?? ''})/V(${value ?? ''})/Rect${rect ?? ''}/DA(/F 9 ` +
                    `Tf)/P ${page} 0 R>>`,
                ),
              )
              return `/Annots[${fields.map(field => `${field} 0 R`).join(' ')}]`
            },
            catalog: () => `/AcroForm<</Fields[${fields.map(field => `${field} 0 R`).join(' ')}]>>`,
          },
          stays: ['BESIDE', 'KEEPVALUE', 'two'],
        }
      },
      secret => {
        let fields: number[] = []
        return {
          parts: {
            page: (pdf, page) => {
              fields = [
                ['one', secret],
                ['two', 'KEEPVALUE'],
              ].map(([name, value]) =>
                pdf.add(
                  `<</Type/Annot/Subtype/Widget/FT/Tx/T(${name ?? ''})/V(${value ?? ''})/Rect${FAR}/DA(/F 9 Tf)/P ` +
                    `${page} 0 R>>`,
                ),
              )
              return `/Annots[${fields.map(field => `${field} 0 R`).join(' ')}]`
            },
            catalog: () => `/AcroForm<</Fields[${fields.map(field => `${field} 0 R`).join(' ')}]>>`,
          },
          stays: ['BESIDE', 'KEEPVALUE'],
        }
      },
    ]),
    fromDrafts('neighbor: the rest of a field that is partly under the area', [
      secret => partlyUnder(LINES, secret, `/FT/Tx/Ff 4096/V(KEEPONE ${secret} KEEPTWO)`),
      secret =>
        partlyUnder(LINES, secret, `/FT/Tx/Ff 4096/V(KEEPONE\\r${secret}\\rKEEPTWO)/DV(KEEPONE\\r${secret}\\rKEEPTWO)`),
      secret => partlyUnder(LINES, secret, `/FT/Ch/Opt[(KEEPONE)(${secret})(KEEPTWO)]/V(${secret})`),
      secret =>
        partlyUnder(
          LINES,
          secret,
          `/FT/Ch/Opt[[(a)(KEEPONE)][(x${secret})(${secret})][(c)(KEEPTWO)]]/V(x${secret})/I[1]`,
        ),
      secret => partlyUnder(ONE_LINE, secret, `/FT/Tx/V(KEEPONE${secret}KEEPTWO)/RV(<p>KEEPONE${secret}KEEPTWO</p>)`),
      secret =>
        partlyUnder(
          ONE_LINE,
          secret,
          `/FT/Ch/Ff 131072/Opt[(KEEPONE${secret}KEEPTWO)(other)]/V(KEEPONE${secret}KEEPTWO)`,
        ),
    ]),
    fromDrafts('neighbor: other options of list boxes, and other words of a field', [
      secret => listBoxes(secret, pdf => `${pdf.add(`[(KEEPONE)(${secret})(KEEPTWO)]`)} 0 R`),
      secret => listBoxes(secret, pdf => `[(KEEPONE)${pdf.add(`(${secret})`)} 0 R(KEEPTWO)]`),
      secret => listBoxes(secret, pdf => `[[(a)(KEEPONE)][(b)${pdf.add(`(${secret})`)} 0 R][(c)(KEEPTWO)]]`),
      secret => listBoxes(secret, () => '[(KEEPONE)(KEEPTWO)]'),
      secret =>
        listBoxes(
          secret,
          () => '[]',
          pdf => `/FT/Tx/Ff 4096/V ${pdf.add(`(KEEPONE ${secret} KEEPTWO)`)} 0 R`,
        ),
    ]),
    fromDrafts('neighbor: longer words in pieces, for a whole word', [
      ...['[(SECRET)-30(KEEP)] TJ', '(SECRET) Tj (KEEP) Tj', '(KEEP) Tj [(SECRET)-30( x)] TJ'].map(
        (pieces): ((secret: string) => Draft) =>
          secret => ({
            parts: {
              content: `${shownText(secret)} BT /F 12 Tf 60 100 Td ${pieces.replace('SECRET', secret)} ET`,
            },
            options: { search: [{ text: secret, wholeWord: true }] },
            gone: [],
            stays: ['BESIDE', pieces.startsWith('(KEEP') ? `KEEP${secret}` : `${secret}KEEP`],
            seenBy: [],
          }),
      ),
    ]),
    fromDrafts('neighbor: links, bookmarks and properties', [
      secret => ({
        ...BY_AREA,
        parts: {
          page: pdf =>
            `/Annots[${pdf.add(`<</Type/Annot/Subtype/Link/Rect${NEAR}/A<</S/URI/URI(https://${secret}.example.com)>>>>`)} ` +
            '0 R ' +
            `${pdf.add(`<</Type/Annot/Subtype/Link/Rect${FAR}/A<</S/URI/URI(https://keeplink.example.com)>>>>`)} 0 ` +
            'R]',
        },
        stays: ['BESIDE', 'keeplink'],
      }),
      secret => ({
        parts: {
          content: shownText(secret),
          trailer: pdf => `/Info ${pdf.add('<</Title(KEEPTITLE)/Author(KEEPAUTHOR)>>')} 0 R`,
          catalog: (pdf, page) => {
            const [root, entry] = [pdf.reserve(), pdf.reserve()]
            pdf.set(entry, `<</Title(KEEPBOOKMARK)/Parent ${root} 0 R/Dest[${page} 0 R/Fit]>>`)
            pdf.set(root, `<</Type/Outlines/First ${entry} 0 R/Last ${entry} 0 R/Count 1>>`)
            return `/Outlines ${root} 0 R`
          },
        },
        stays: ['BESIDE', 'KEEPTITLE', 'KEEPAUTHOR', 'KEEPBOOKMARK'],
      }),
    ]),
    fromDrafts('neighbor: a form XObject that is shown in two places', [
      secret => ({
        ...BY_AREA,
        parts: {
          content: `/X Do q 1 0 0 1 0 100 cm /Y Do Q`,
          resources: (pdf, font) =>
            `/XObject<</X ${addForm(pdf, font, `${shownText(secret)} ${shownText('KEEPINX', '60 30 Td')}`)} 0 R/Y ` +
            `${addForm(pdf, font, shownText('KEEPINY', '60 0 Td'))} 0 R>>`,
        },
        stays: ['BESIDE', 'KEEPINX', 'KEEPINY'],
      }),
    ]),
  ],
}
