const en = {
  invoice: 'Invoice',
  quote: 'Quote',
  proforma: 'Proforma invoice',
  receipt: 'Receipt',
  creditNote: 'Credit note',
  from: 'From',
  billTo: 'Bill to',
  shipTo: 'Ship to',
  issueDate: 'Issue date',
  dueDate: 'Due date',
  validUntil: 'Valid until',
  purchaseOrder: 'Purchase order',
  precedingInvoice: 'For invoice',
  paymentTerms: 'Terms of payment',
  taxId: 'Tax ID',
  amountDue: 'Amount due',
  date: 'Date',
  description: 'Description',
  quantity: 'Qty',
  unit: 'Unit',
  rate: 'Rate',
  discount: 'Discount',
  tax: 'Tax',
  amount: 'Amount',
  subtotal: 'Subtotal',
  shipping: 'Shipping',
  total: 'Total',
  includedTax: 'Included tax',
  paid: 'Paid',
  notes: 'Notes',
  terms: 'Terms',
  payment: 'Payment',
  bank: 'Bank',
  iban: 'IBAN',
  bic: 'BIC',
  reference: 'Reference',
  link: 'Pay online',
  scan: 'Scan to pay',
  reverseCharge: 'Reverse charge: the tax is to be paid by the recipient.',
  continued: 'continued',
  page: 'Page {page} of {pages}',
}

/** What a label can be called by. */
export type LabelName = keyof typeof en

type Texts = Record<LabelName, string>

const de: Texts = {
  invoice: 'Rechnung', quote: 'Angebot', proforma: 'Proformarechnung', receipt: 'Quittung', creditNote: 'Gutschrift',
  from: 'Von', billTo: 'Rechnung an', shipTo: 'Lieferung an',
  issueDate: 'Datum', dueDate: 'Fällig am', validUntil: 'Gültig bis', purchaseOrder: 'Bestellnummer', precedingInvoice: 'Zu Rechnung', paymentTerms: 'Zahlungsziel', taxId: 'USt-IdNr.', amountDue: 'Offener Betrag',
  date: 'Datum', description: 'Beschreibung', quantity: 'Menge', unit: 'Einheit', rate: 'Einzelpreis', discount: 'Rabatt', tax: 'MwSt.', amount: 'Betrag',
  subtotal: 'Zwischensumme', shipping: 'Versand', total: 'Gesamt', includedTax: 'Enthaltene MwSt.', paid: 'Bezahlt',
  notes: 'Hinweise', terms: 'Bedingungen', payment: 'Zahlung', bank: 'Bank', iban: 'IBAN', bic: 'BIC', reference: 'Verwendungszweck', link: 'Online bezahlen', scan: 'Zum Bezahlen scannen',
  reverseCharge: 'Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge).', continued: 'Fortsetzung', page: 'Seite {page} von {pages}',
}

const fr: Texts = {
  invoice: 'Facture', quote: 'Devis', proforma: 'Facture proforma', receipt: 'Reçu', creditNote: 'Avoir',
  from: 'Émetteur', billTo: 'Facturé à', shipTo: 'Livré à',
  issueDate: 'Date d’émission', dueDate: 'Échéance', validUntil: 'Valable jusqu’au', purchaseOrder: 'Bon de commande', precedingInvoice: 'Facture d’origine', paymentTerms: 'Conditions de paiement', taxId: 'N° TVA', amountDue: 'Montant dû',
  date: 'Date', description: 'Désignation', quantity: 'Qté', unit: 'Unité', rate: 'Prix unitaire', discount: 'Remise', tax: 'TVA', amount: 'Montant',
  subtotal: 'Sous-total', shipping: 'Livraison', total: 'Total', includedTax: 'Dont TVA', paid: 'Payé',
  notes: 'Remarques', terms: 'Conditions', payment: 'Paiement', bank: 'Banque', iban: 'IBAN', bic: 'BIC', reference: 'Référence', link: 'Payer en ligne', scan: 'Scanner pour payer',
  reverseCharge: 'Autoliquidation : la TVA est due par le preneur.', continued: 'suite', page: 'Page {page} sur {pages}',
}

const es: Texts = {
  invoice: 'Factura', quote: 'Presupuesto', proforma: 'Factura proforma', receipt: 'Recibo', creditNote: 'Nota de abono',
  from: 'De', billTo: 'Facturar a', shipTo: 'Enviar a',
  issueDate: 'Fecha', dueDate: 'Vencimiento', validUntil: 'Válido hasta', purchaseOrder: 'N.º de pedido', precedingInvoice: 'Factura original', paymentTerms: 'Condiciones de pago', taxId: 'NIF', amountDue: 'Importe pendiente',
  date: 'Fecha', description: 'Descripción', quantity: 'Cant.', unit: 'Unidad', rate: 'Precio', discount: 'Descuento', tax: 'IVA', amount: 'Importe',
  subtotal: 'Subtotal', shipping: 'Envío', total: 'Total', includedTax: 'IVA incluido', paid: 'Pagado',
  notes: 'Notas', terms: 'Condiciones', payment: 'Pago', bank: 'Banco', iban: 'IBAN', bic: 'BIC', reference: 'Referencia', link: 'Pagar en línea', scan: 'Escanear para pagar',
  reverseCharge: 'Inversión del sujeto pasivo: el IVA lo paga el destinatario.', continued: 'continuación', page: 'Página {page} de {pages}',
}

const it: Texts = {
  invoice: 'Fattura', quote: 'Preventivo', proforma: 'Fattura proforma', receipt: 'Ricevuta', creditNote: 'Nota di credito',
  from: 'Da', billTo: 'Fatturare a', shipTo: 'Spedire a',
  issueDate: 'Data', dueDate: 'Scadenza', validUntil: 'Valido fino al', purchaseOrder: 'N. ordine', precedingInvoice: 'Fattura originale', paymentTerms: 'Termini di pagamento', taxId: 'P. IVA', amountDue: 'Importo dovuto',
  date: 'Data', description: 'Descrizione', quantity: 'Q.tà', unit: 'Unità', rate: 'Prezzo', discount: 'Sconto', tax: 'IVA', amount: 'Importo',
  subtotal: 'Subtotale', shipping: 'Spedizione', total: 'Totale', includedTax: 'IVA inclusa', paid: 'Pagato',
  notes: 'Note', terms: 'Condizioni', payment: 'Pagamento', bank: 'Banca', iban: 'IBAN', bic: 'BIC', reference: 'Riferimento', link: 'Paga online', scan: 'Scansiona per pagare',
  reverseCharge: 'Inversione contabile: l’IVA è a carico del destinatario.', continued: 'segue', page: 'Pagina {page} di {pages}',
}

const pt: Texts = {
  invoice: 'Fatura', quote: 'Orçamento', proforma: 'Fatura proforma', receipt: 'Recibo', creditNote: 'Nota de crédito',
  from: 'De', billTo: 'Faturar a', shipTo: 'Entregar a',
  issueDate: 'Data de emissão', dueDate: 'Vencimento', validUntil: 'Válido até', purchaseOrder: 'N.º da encomenda', precedingInvoice: 'Fatura original', paymentTerms: 'Condições de pagamento', taxId: 'NIF', amountDue: 'Valor em dívida',
  date: 'Data', description: 'Descrição', quantity: 'Qtd.', unit: 'Unidade', rate: 'Preço', discount: 'Desconto', tax: 'IVA', amount: 'Valor',
  subtotal: 'Subtotal', shipping: 'Envio', total: 'Total', includedTax: 'IVA incluído', paid: 'Pago',
  notes: 'Notas', terms: 'Condições', payment: 'Pagamento', bank: 'Banco', iban: 'IBAN', bic: 'BIC', reference: 'Referência', link: 'Pagar online', scan: 'Digitalizar para pagar',
  reverseCharge: 'Autoliquidação: o IVA é devido pelo adquirente.', continued: 'continuação', page: 'Página {page} de {pages}',
}

const nl: Texts = {
  invoice: 'Factuur', quote: 'Offerte', proforma: 'Proformafactuur', receipt: 'Kwitantie', creditNote: 'Creditnota',
  from: 'Van', billTo: 'Factuur aan', shipTo: 'Leveren aan',
  issueDate: 'Factuurdatum', dueDate: 'Vervaldatum', validUntil: 'Geldig tot', purchaseOrder: 'Ordernummer', precedingInvoice: 'Bij factuur', paymentTerms: 'Betalingstermijn', taxId: 'Btw-nummer', amountDue: 'Te betalen',
  date: 'Datum', description: 'Omschrijving', quantity: 'Aantal', unit: 'Eenheid', rate: 'Prijs', discount: 'Korting', tax: 'Btw', amount: 'Bedrag',
  subtotal: 'Subtotaal', shipping: 'Verzending', total: 'Totaal', includedTax: 'Inclusief btw', paid: 'Betaald',
  notes: 'Opmerkingen', terms: 'Voorwaarden', payment: 'Betaling', bank: 'Bank', iban: 'IBAN', bic: 'BIC', reference: 'Kenmerk', link: 'Online betalen', scan: 'Scan om te betalen',
  reverseCharge: 'Btw verlegd naar de afnemer.', continued: 'vervolg', page: 'Pagina {page} van {pages}',
}

const pl: Texts = {
  invoice: 'Faktura', quote: 'Oferta', proforma: 'Faktura proforma', receipt: 'Pokwitowanie', creditNote: 'Faktura korygująca',
  from: 'Sprzedawca', billTo: 'Nabywca', shipTo: 'Adres dostawy',
  issueDate: 'Data wystawienia', dueDate: 'Termin płatności', validUntil: 'Ważna do', purchaseOrder: 'Nr zamówienia', precedingInvoice: 'Do faktury', paymentTerms: 'Warunki płatności', taxId: 'NIP', amountDue: 'Do zapłaty',
  date: 'Data', description: 'Opis', quantity: 'Ilość', unit: 'J.m.', rate: 'Cena', discount: 'Rabat', tax: 'VAT', amount: 'Kwota',
  subtotal: 'Suma', shipping: 'Dostawa', total: 'Razem', includedTax: 'W tym VAT', paid: 'Zapłacono',
  notes: 'Uwagi', terms: 'Warunki', payment: 'Płatność', bank: 'Bank', iban: 'IBAN', bic: 'BIC', reference: 'Tytuł przelewu', link: 'Zapłać online', scan: 'Zeskanuj, aby zapłacić',
  reverseCharge: 'Odwrotne obciążenie: VAT rozlicza nabywca.', continued: 'ciąg dalszy', page: 'Strona {page} z {pages}',
}

const ja: Texts = {
  invoice: '請求書', quote: '見積書', proforma: 'プロフォーマ請求書', receipt: '領収書', creditNote: '返還請求書',
  from: '発行元', billTo: '請求先', shipTo: '納品先',
  issueDate: '発行日', dueDate: '支払期限', validUntil: '有効期限', purchaseOrder: '注文番号', precedingInvoice: '元の請求書', paymentTerms: '支払条件', taxId: '登録番号', amountDue: 'ご請求金額',
  date: '日付', description: '品目', quantity: '数量', unit: '単位', rate: '単価', discount: '値引', tax: '消費税', amount: '金額',
  subtotal: '小計', shipping: '送料', total: '合計', includedTax: '内消費税', paid: '入金済み',
  notes: '備考', terms: '取引条件', payment: 'お支払い', bank: '銀行', iban: 'IBAN', bic: 'BIC', reference: '参照番号', link: 'オンライン決済', scan: '読み取ってお支払い',
  reverseCharge: 'リバースチャージ：消費税は受領者が納付します。', continued: '続き', page: '{page} / {pages} ページ',
}

const zh: Texts = {
  invoice: '发票', quote: '报价单', proforma: '形式发票', receipt: '收据', creditNote: '贷记通知单',
  from: '开票方', billTo: '收票方', shipTo: '收货方',
  issueDate: '开票日期', dueDate: '付款期限', validUntil: '有效期至', purchaseOrder: '订单号', precedingInvoice: '原发票', paymentTerms: '付款条件', taxId: '税号', amountDue: '应付金额',
  date: '日期', description: '项目', quantity: '数量', unit: '单位', rate: '单价', discount: '折扣', tax: '税额', amount: '金额',
  subtotal: '小计', shipping: '运费', total: '合计', includedTax: '其中税额', paid: '已付',
  notes: '备注', terms: '条款', payment: '付款方式', bank: '银行', iban: 'IBAN', bic: 'BIC', reference: '付款附言', link: '在线支付', scan: '扫码支付',
  reverseCharge: '反向征税：税款由购买方缴纳。', continued: '续', page: '第 {page} 页，共 {pages} 页',
}

const zhHant: Texts = {
  ...zh,
  invoice: '發票', quote: '報價單', proforma: '形式發票', receipt: '收據', creditNote: '貸記通知單',
  from: '開立人', billTo: '買受人', shipTo: '收貨人',
  issueDate: '開立日期', dueDate: '付款期限', validUntil: '有效期至', purchaseOrder: '訂單編號', precedingInvoice: '原發票', paymentTerms: '付款條件', taxId: '統一編號', amountDue: '應付金額',
  description: '項目', quantity: '數量', unit: '單位', rate: '單價', tax: '稅額', amount: '金額',
  subtotal: '小計', shipping: '運費', total: '合計', includedTax: '其中稅額', notes: '備註', terms: '條款', bank: '銀行', reference: '付款附言', link: '線上付款', scan: '掃碼付款', payment: '付款方式',
  reverseCharge: '反向課稅：稅款由買受人繳納。', continued: '續', page: '第 {page} 頁，共 {pages} 頁',
}

const ar: Texts = {
  invoice: 'فاتورة', quote: 'عرض سعر', proforma: 'فاتورة أولية', receipt: 'إيصال', creditNote: 'إشعار دائن',
  from: 'من', billTo: 'فاتورة إلى', shipTo: 'الشحن إلى',
  issueDate: 'تاريخ الإصدار', dueDate: 'تاريخ الاستحقاق', validUntil: 'صالح حتى', purchaseOrder: 'أمر الشراء', precedingInvoice: 'الفاتورة الأصلية', paymentTerms: 'شروط الدفع', taxId: 'الرقم الضريبي', amountDue: 'المبلغ المستحق',
  date: 'التاريخ', description: 'الوصف', quantity: 'الكمية', unit: 'الوحدة', rate: 'السعر', discount: 'الخصم', tax: 'الضريبة', amount: 'المبلغ',
  subtotal: 'المجموع الفرعي', shipping: 'الشحن', total: 'الإجمالي', includedTax: 'الضريبة المشمولة', paid: 'المدفوع',
  notes: 'ملاحظات', terms: 'الشروط', payment: 'الدفع', bank: 'البنك', iban: 'رقم الآيبان', bic: 'رمز البنك', reference: 'المرجع', link: 'الدفع عبر الإنترنت', scan: 'امسح للدفع',
  reverseCharge: 'احتساب عكسي: يدفع المستلم الضريبة.', continued: 'تابع', page: 'صفحة {page} من {pages}',
}

const he: Texts = {
  invoice: 'חשבונית', quote: 'הצעת מחיר', proforma: 'חשבון עסקה', receipt: 'קבלה', creditNote: 'חשבונית זיכוי',
  from: 'מאת', billTo: 'לכבוד', shipTo: 'משלוח אל',
  issueDate: 'תאריך הפקה', dueDate: 'לתשלום עד', validUntil: 'בתוקף עד', purchaseOrder: 'מספר הזמנה', precedingInvoice: 'חשבונית מקור', paymentTerms: 'תנאי תשלום', taxId: 'מספר עוסק', amountDue: 'יתרה לתשלום',
  date: 'תאריך', description: 'תיאור', quantity: 'כמות', unit: 'יחידה', rate: 'מחיר', discount: 'הנחה', tax: 'מע״מ', amount: 'סכום',
  subtotal: 'סכום ביניים', shipping: 'משלוח', total: 'סה״כ', includedTax: 'כולל מע״מ', paid: 'שולם',
  notes: 'הערות', terms: 'תנאים', payment: 'תשלום', bank: 'בנק', iban: 'IBAN', bic: 'BIC', reference: 'אסמכתא', link: 'תשלום מקוון', scan: 'לסריקה ולתשלום',
  reverseCharge: 'חיוב הפוך: המע״מ ישולם על ידי המקבל.', continued: 'המשך', page: 'עמוד {page} מתוך {pages}',
}

/** The words of invoices by language. */
export const LABELS = { en, de, fr, es, it, pt, nl, pl, ja, zh, 'zh-Hant': zhHant, ar, he } satisfies Record<string, Texts>
