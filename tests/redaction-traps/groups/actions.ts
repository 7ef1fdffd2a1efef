import { fromDrafts, wide } from '../draft'
import type { TrapGroup } from '../trap'
import { action, inCatalog, onPage } from './object-drafts'

export const ACTIONS: TrapGroup = {
  name: 'Actions',
  cause: 'URLs, file names, fields and scripts of actions.',
  constructions: [
    fromDrafts('URIs and their base', [
      action(secret => `/S/URI/URI(https://example.com/?name=${secret})`),
      action(secret => `/S/URI/URI(mailto:${secret}@example.com)`),
      inCatalog(secret => `/URI<</Base(https://${secret}.example.com/)>>`),
      action(
        secret =>
          `/S/URI/URI(https://example.com/${Array.from(secret, letter => `%${letter.charCodeAt(0).toString(16)}`).join('')})`,
      ),
    ]),
    fromDrafts('file names of actions', [
      action(secret => `/S/Launch/F(${secret}.exe)`),
      action(secret => `/S/Launch/Win<</F(${secret}.exe)/D(${secret})/P(${secret})>>`),
      action(secret => `/S/GoToR/F<</Type/Filespec/F(${secret}.pdf)/UF${wide(`${secret}.pdf`)}>>/D[0/Fit]`),
      action(secret => `/S/GoToE/F(${secret}.pdf)/T<</R/C/N(${secret})>>/D[0/Fit]`),
      action(secret => `/S/GoToR/F(x.pdf)/D(${secret})`),
    ]),
    fromDrafts('actions of forms', [
      action(secret => `/S/SubmitForm/F<</FS/URL/F(https://example.com/${secret})>>/Fields[(${secret})]`),
      action(secret => `/S/ImportData/F(${secret}.fdf)`),
      action(secret => `/S/Hide/T(${secret})`),
      action(secret => `/S/ResetForm/Fields[(${secret})]`),
      action(secret => `/S/Rendition/OP 0/JS(// ${secret})`),
    ]),
    fromDrafts('actions of the page and of the document', [
      onPage(secret => `/AA<</O<</S/JavaScript/JS(// ${secret})>>>>`),
      inCatalog(secret => `/AA<</WC<</S/JavaScript/JS${wide(`// ${secret}`)}>>>>`),
      action(
        secret =>
          '/S/URI/URI(https://example.com)/Next[<</S/JavaScript/JS(// ' +
          `${secret})>><</S/URI/URI(https://${secret}.example.com)>>]`,
      ),
      inCatalog(
        (secret, pdf) =>
          '/OpenAction<</S/JavaScript/JS ' +
          `${pdf.addStream('', `var x = "${Array.from(secret, letter => `\\x${letter.charCodeAt(0).toString(16)}`).join('')}"`)} ` +
          '0 R>>',
      ),
    ]),
  ],
}
