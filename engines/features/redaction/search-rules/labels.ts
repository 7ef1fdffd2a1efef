/** Labels before a number, such as "order" or "invoice", that make it another kind of number. */
const OTHER =
  /(?:order|invoice|receipt|ref(?:erence)?|part|serial|tracking|batch|lot|item|article|art|sku|isbn|issn|doi|version|model|ticket|case|docket|policy|po|siren|siret|ean|upc|asin|customer|cust|account|konto|compte|cuenta|az|aktenzeichen|docket|rechnung|rechnungs-?nr|bestell-?nr|bestellung|artikel|artikel-?nr|kunden-?nr|commande|facture|pedido|factura|ordine|fattura)(?:[ \n]?(?:no|nr|num|number|id|code|#|n°|nº))?[ .:#\n°º-]{0,4}$/iu

/** Currency signs before a number, which make it an amount. */
const SUM_BEFORE = /(?:[$€£¥#]|\b(?:USD|EUR|GBP|CHF|SEK|NOK|DKK|PLN|JPY|INR|BRL))[ \n]?$/u

/** Signs and units after a number, which make it an amount, a size or a part of another number. */
const SUM_BEHIND =
  /^(?:[ \n]?(?:[$€£¥%‰]|(?:USD|EUR|GBP|CHF|SEK|NOK|DKK|PLN|JPY|INR|BRL|kr|zł|mm|cm|km|kg|kWh|MB|GB|bytes|units|pieces|Stück|people|inhabitants|Einwohner)(?![\p{L}\p{N}]))|[.,]\d)/u

const REACH = 32

/** Returns whether the text around a number shows that it is an amount, or the number of an order or a part. */
export function isOtherNumber(text: string, { start, end }: { start: number; end: number }): boolean {
  const before = text.slice(Math.max(0, start - REACH), start)
  return OTHER.test(before) || SUM_BEFORE.test(before) || SUM_BEHIND.test(text.slice(end, end + REACH))
}
