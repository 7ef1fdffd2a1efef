/** Languages of the columns below. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ja', 'zh', 'zh-Hant', 'ar', 'he'] as const

type Row = readonly [
  en: string,
  de: string,
  fr: string,
  es: string,
  it: string,
  pt: string,
  nl: string,
  pl: string,
  ja: string,
  zh: string,
  zhHant: string,
  ar: string,
  he: string,
]

/** Labels of fields that electronic invoices need, in the order of `LANGUAGES`. */
// oxfmt-ignore
const ROWS = {
  correctedInvoice: ['Corrected invoice', 'Rechnungskorrektur', 'Facture rectificative', 'Factura rectificativa', 'Fattura rettificativa', 'Fatura retificativa', 'Gecorrigeerde factuur', 'Faktura korygująca', '修正請求書', '更正发票', '更正發票', 'فاتورة مصححة', 'חשבונית מתוקנת'],
  prepaymentInvoice: ['Prepayment invoice', 'Anzahlungsrechnung', 'Facture d’acompte', 'Factura de anticipo', 'Fattura di acconto', 'Fatura de adiantamento', 'Voorschotfactuur', 'Faktura zaliczkowa', '前払請求書', '预付款发票', '預付款發票', 'فاتورة دفعة مقدمة', 'חשבונית מקדמה'],
  vatId: ['VAT no.', 'USt-IdNr.', 'N° TVA', 'NIF-IVA', 'Partita IVA', 'N.º de IVA', 'Btw-nummer', 'NIP UE', 'VAT番号', '增值税号', '增值稅號', 'رقم ضريبة القيمة المضافة', 'מספר מע״מ'],
  taxNumber: ['Tax no.', 'Steuernummer', 'N° fiscal', 'N.º fiscal', 'Codice fiscale', 'N.º fiscal', 'Fiscaal nummer', 'Numer podatkowy', '納税者番号', '纳税人识别号', '稅務編號', 'رقم التسجيل الضريبي', 'מספר זיהוי מס'],
  legalId: ['Registration no.', 'Registernummer', 'N° d’immatriculation', 'N.º de registro', 'N. di registro', 'N.º de registo', 'Registratienummer', 'Numer rejestrowy', '登記番号', '注册号', '登記號碼', 'رقم السجل التجاري', 'מספר רישום'],
  contact: ['Contact', 'Kontakt', 'Contact', 'Contacto', 'Contatto', 'Contacto', 'Contact', 'Kontakt', '担当', '联系人', '聯絡人', 'جهة الاتصال', 'איש קשר'],
  buyerReference: ['Your reference', 'Ihre Referenz', 'Votre référence', 'Su referencia', 'Vostro riferimento', 'Sua referência', 'Uw referentie', 'Nr referencyjny nabywcy', '貴社参照番号', '贵方参考号', '貴方參考號', 'مرجعكم', 'סימוכין שלכם'],
  salesOrder: ['Our order', 'Auftragsnummer', 'N° de commande vendeur', 'Pedido de venta', 'Ordine di vendita', 'Ordem de venda', 'Ons ordernummer', 'Numer zlecenia', '受注番号', '销售订单', '銷售訂單', 'أمر البيع', 'הזמנת מכירה'],
  contract: ['Contract', 'Vertrag', 'Contrat', 'Contrato', 'Contratto', 'Contrato', 'Contract', 'Umowa', '契約', '合同', '合約', 'العقد', 'חוזה'],
  project: ['Project', 'Projekt', 'Projet', 'Proyecto', 'Progetto', 'Projeto', 'Project', 'Projekt', 'プロジェクト', '项目', '專案', 'المشروع', 'פרויקט'],
  tender: ['Tender or lot', 'Vergabe oder Los', 'Appel d’offres ou lot', 'Licitación o lote', 'Gara o lotto', 'Concurso ou lote', 'Aanbesteding of perceel', 'Przetarg', '入札', '招标', '招標', 'المناقصة', 'מכרז'],
  receivingAdvice: ['Receiving advice', 'Wareneingang', 'Avis de réception', 'Aviso de recepción', 'Avviso di ricezione', 'Aviso de receção', 'Ontvangstbewijs', 'Potwierdzenie odbioru', '受領通知', '收货单', '收貨單', 'إشعار الاستلام', 'אישור קבלה'],
  despatchAdvice: ['Delivery note', 'Lieferschein', 'Bon de livraison', 'Albarán', 'Documento di trasporto', 'Guia de remessa', 'Pakbon', 'Dokument WZ', '納品書', '送货单', '送貨單', 'إشعار التسليم', 'תעודת משלוח'],
  accountingReference: ['Cost center', 'Kostenstelle', 'Imputation', 'Centro de coste', 'Centro di costo', 'Centro de custo', 'Kostenplaats', 'Miejsce powstawania kosztów', '原価センター', '成本中心', '成本中心', 'مركز التكلفة', 'מרכז עלות'],
  object: ['Object', 'Objekt', 'Objet', 'Objeto', 'Oggetto', 'Objeto', 'Object', 'Obiekt', '対象', '对象', '對象', 'الموضوع', 'אובייקט'],
  deliveryDate: ['Delivery date', 'Liefer-/Leistungsdatum', 'Date de livraison', 'Fecha de entrega', 'Data di consegna', 'Data de entrega', 'Leverdatum', 'Data dostawy', '納品日', '交付日期', '交付日期', 'تاريخ التسليم', 'תאריך אספקה'],
  period: ['Period', 'Leistungszeitraum', 'Période', 'Período', 'Periodo', 'Período', 'Periode', 'Okres', '対象期間', '期间', '期間', 'الفترة', 'תקופה'],
  taxPoint: ['Tax point', 'Steuerfälligkeit', 'Exigibilité de la TVA', 'Devengo del impuesto', 'Esigibilità IVA', 'Exigibilidade do imposto', 'Btw verschuldigd', 'Obowiązek podatkowy', '課税時点', '纳税义务发生时间', '納稅義務發生時間', 'تاريخ الاستحقاق الضريبي', 'מועד החיוב במס'],
  onPayment: ['On payment', 'Bei Zahlung', 'À l’encaissement', 'Al cobro', 'All’incasso', 'No recebimento', 'Bij betaling', 'W dniu zapłaty', '入金時', '收款时', '收款時', 'عند الدفع', 'בעת התשלום'],
  allowance: ['Allowance', 'Nachlass', 'Réduction', 'Bonificación', 'Abbuono', 'Abatimento', 'Reductie', 'Upust', '控除', '折让', '折讓', 'خصم إضافي', 'הפחתה'],
  charge: ['Charge', 'Zuschlag', 'Frais', 'Recargo', 'Maggiorazione', 'Encargo', 'Toeslag', 'Opłata', '追加料金', '附加费', '附加費', 'رسوم', 'תוספת'],
  rounding: ['Rounding', 'Rundung', 'Arrondi', 'Redondeo', 'Arrotondamento', 'Arredondamento', 'Afronding', 'Zaokrąglenie', '端数調整', '尾差调整', '尾差調整', 'التقريب', 'עיגול'],
  taxInCurrency: ['Tax in {currency}', 'MwSt. in {currency}', 'TVA en {currency}', 'IVA en {currency}', 'IVA in {currency}', 'IVA em {currency}', 'Btw in {currency}', 'VAT w {currency}', '税額（{currency}）', '税额（{currency}）', '稅額（{currency}）', 'الضريبة ({currency})', 'מס ב-{currency}'],
  includedNamedTax: ['Included: {tax}', 'Enthalten: {tax}', 'Dont {tax}', 'Incluido: {tax}', 'Di cui {tax}', 'Incluído: {tax}', 'Inclusief {tax}', 'W tym {tax}', '内{tax}', '其中{tax}', '其中{tax}', 'يشمل {tax}', 'כולל {tax}'],
  withholding: ['Withholding tax', 'Quellensteuer', 'Retenue à la source', 'Retención', 'Ritenuta d’acconto', 'Retenção na fonte', 'Bronbelasting', 'Podatek u źródła', '源泉徴収税', '预扣税', '預扣稅', 'ضريبة الاستقطاع', 'ניכוי מס במקור'],
  payee: ['Payee', 'Zahlungsempfänger', 'Bénéficiaire', 'Beneficiario', 'Beneficiario', 'Beneficiário', 'Begunstigde', 'Odbiorca płatności', '受取人', '收款人', '收款人', 'المستفيد', 'מוטב'],
  taxRepresentative: ['Tax representative', 'Fiskalvertreter', 'Représentant fiscal', 'Representante fiscal', 'Rappresentante fiscale', 'Representante fiscal', 'Fiscaal vertegenwoordiger', 'Przedstawiciel podatkowy', '納税管理人', '税务代表', '稅務代表', 'الممثل الضريبي', 'נציג לעניין מס'],
  paymentMeans: ['Means of payment', 'Zahlungsart', 'Moyen de paiement', 'Forma de pago', 'Mezzo di pagamento', 'Meio de pagamento', 'Betaalwijze', 'Forma płatności', '支払方法', '付款方式', '付款方式', 'وسيلة الدفع', 'אמצעי תשלום'],
  creditTransfer: ['Credit transfer', 'Überweisung', 'Virement', 'Transferencia', 'Bonifico', 'Transferência', 'Overboeking', 'Przelew', '銀行振込', '银行转账', '銀行轉帳', 'تحويل مصرفي', 'העברה בנקאית'],
  directDebit: ['Direct debit', 'Lastschrift', 'Prélèvement', 'Domiciliación bancaria', 'Addebito diretto', 'Débito direto', 'Incasso', 'Polecenie zapłaty', '口座振替', '直接借记', '自動扣款', 'خصم مباشر', 'הרשאה לחיוב חשבון'],
  card: ['Card', 'Karte', 'Carte', 'Tarjeta', 'Carta', 'Cartão', 'Kaart', 'Karta', 'カード', '银行卡', '卡片', 'بطاقة', 'כרטיס'],
  cash: ['Cash', 'Bar', 'Espèces', 'Efectivo', 'Contanti', 'Numerário', 'Contant', 'Gotówka', '現金', '现金', '現金', 'نقدا', 'מזומן'],
  check: ['Check', 'Scheck', 'Chèque', 'Cheque', 'Assegno', 'Cheque', 'Cheque', 'Czek', '小切手', '支票', '支票', 'شيك', 'המחאה'],
  online: ['Online payment', 'Online-Zahlung', 'Paiement en ligne', 'Pago en línea', 'Pagamento online', 'Pagamento online', 'Onlinebetaling', 'Płatność online', 'オンライン決済', '在线支付', '線上付款', 'دفع إلكتروني', 'תשלום מקוון'],
  clearing: ['Clearing', 'Verrechnung', 'Compensation', 'Compensación', 'Compensazione', 'Compensação', 'Verrekening', 'Kompensata', '相殺', '结算抵销', '結算抵銷', 'مقاصة', 'קיזוז'],
  accountHolder: ['Account holder', 'Kontoinhaber', 'Titulaire du compte', 'Titular de la cuenta', 'Intestatario', 'Titular da conta', 'Rekeninghouder', 'Właściciel rachunku', '口座名義', '账户名称', '帳戶名稱', 'صاحب الحساب', 'בעל החשבון'],
  account: ['Account no.', 'Kontonummer', 'N° de compte', 'N.º de cuenta', 'N. di conto', 'N.º da conta', 'Rekeningnummer', 'Nr rachunku', '口座番号', '账号', '帳號', 'رقم الحساب', 'מספר חשבון'],
  mandate: ['Mandate reference', 'Mandatsreferenz', 'Référence du mandat', 'Ref. del mandato', 'Rif. mandato', 'Ref. do mandato', 'Machtigingskenmerk', 'Nr mandatu', '委任番号', '授权书编号', '授權書編號', 'مرجع التفويض', 'מספר הרשאה'],
  creditorId: ['Creditor ID', 'Gläubiger-ID', 'Identifiant créancier', 'Identificador del acreedor', 'Identificativo del creditore', 'Identificador do credor', 'Incassant-ID', 'Identyfikator wierzyciela', '債権者ID', '债权人标识', '債權人識別碼', 'معرف الدائن', 'מזהה נושה'],
  debitedAccount: ['Debited account', 'Belastetes Konto', 'Compte débité', 'Cuenta de cargo', 'Conto addebitato', 'Conta debitada', 'Gedebiteerde rekening', 'Rachunek obciążany', '引落口座', '扣款账户', '扣款帳戶', 'الحساب المدين', 'חשבון לחיוב'],
  attachments: ['Attachments', 'Anlagen', 'Pièces jointes', 'Anexos', 'Allegati', 'Anexos', 'Bijlagen', 'Załączniki', '添付書類', '附件', '附件', 'المرفقات', 'נספחים'],
  zeroRate: ['Zero rate', 'Nullsatz', 'Taux zéro', 'Tipo cero', 'Aliquota zero', 'Taxa zero', 'Nultarief', 'Stawka zerowa', 'ゼロ税率', '零税率', '零稅率', 'نسبة صفرية', 'שיעור אפס'],
  exempt: ['Exempt', 'Steuerfrei', 'Exonéré', 'Exento', 'Esente', 'Isento', 'Vrijgesteld', 'Zwolnione z VAT', '非課税', '免税', '免稅', 'معفى', 'פטור'],
  reverseChargeReason: ['Reverse charge', 'Steuerschuldnerschaft des Leistungsempfängers', 'Autoliquidation', 'Inversión del sujeto pasivo', 'Inversione contabile', 'IVA – autoliquidação', 'Btw verlegd', 'Odwrotne obciążenie', 'リバースチャージ', '反向征税', '反向課稅', 'احتساب عكسي', 'חיוב הפוך'],
  intraCommunity: ['Intra-community supply', 'Innergemeinschaftliche Lieferung', 'Livraison intracommunautaire', 'Entrega intracomunitaria', 'Cessione intracomunitaria', 'Transmissão intracomunitária', 'Intracommunautaire levering', 'Wewnątrzwspólnotowa dostawa towarów', 'EU域内供給', '欧盟内部供应', '歐盟內部供應', 'توريد داخل الاتحاد الأوروبي', 'אספקה בתוך האיחוד האירופי'],
  exportReason: ['Export outside the EU', 'Ausfuhrlieferung', 'Exportation hors UE', 'Exportación fuera de la UE', 'Esportazione extra UE', 'Exportação para fora da UE', 'Uitvoer buiten de EU', 'Eksport poza UE', 'EU域外への輸出', '出口至欧盟以外', '出口至歐盟以外', 'تصدير خارج الاتحاد الأوروبي', 'יצוא אל מחוץ לאיחוד האירופי'],
  notSubject: ['Not subject to VAT', 'Nicht steuerbar', 'Non soumis à la TVA', 'No sujeto a IVA', 'Non soggetto a IVA', 'Não sujeito a IVA', 'Niet onderworpen aan btw', 'Nie podlega VAT', 'VAT対象外', '不征增值税', '不課徵增值稅', 'غير خاضع للضريبة', 'לא חייב במע״מ'],
  orderLine: ['Order line', 'Bestellposition', 'Ligne de commande', 'Línea de pedido', 'Riga d’ordine', 'Linha da encomenda', 'Orderregel', 'Pozycja zamówienia', '注文明細', '订单行', '訂單行', 'بند الطلب', 'שורת הזמנה'],
  buyerItemId: ['Your item no.', 'Ihre Artikelnr.', 'Votre réf. article', 'Su ref. de artículo', 'Vostro codice articolo', 'Sua ref. de artigo', 'Uw artikelnr.', 'Państwa nr artykułu', '貴社品番', '贵方货号', '貴方貨號', 'رقم الصنف لديكم', 'מק״ט שלכם'],
  itemId: ['Item no.', 'Artikelnr.', 'Réf. article', 'Ref. de artículo', 'Codice articolo', 'Ref. de artigo', 'Artikelnr.', 'Nr artykułu', '商品コード', '商品编号', '商品編號', 'رقم الصنف', 'מק״ט'],
  classification: ['Class', 'Klasse', 'Classe', 'Clase', 'Classe', 'Classe', 'Klasse', 'Klasa', '分類', '分类', '分類', 'الفئة', 'סיווג'],
  origin: ['Origin', 'Ursprung', 'Origine', 'Origen', 'Origine', 'Origem', 'Oorsprong', 'Pochodzenie', '原産国', '原产地', '原產地', 'بلد المنشأ', 'ארץ מקור'],
  grossPrice: ['Price before reduction', 'Preis vor Nachlass', 'Prix avant remise', 'Precio antes de descuento', 'Prezzo prima dello sconto', 'Preço antes do desconto', 'Prijs vóór korting', 'Cena przed rabatem', '値引前価格', '折前单价', '折前單價', 'السعر قبل الخصم', 'מחיר לפני הנחה'],
  priceBase: ['Price per {quantity}', 'Preis je {quantity}', 'Prix pour {quantity}', 'Precio por {quantity}', 'Prezzo per {quantity}', 'Preço por {quantity}', 'Prijs per {quantity}', 'Cena za {quantity}', '{quantity}あたりの価格', '每{quantity}的价格', '每{quantity}的價格', 'السعر لكل {quantity}', 'מחיר ל-{quantity}'],
  totalWithoutTax: ['Total without tax', 'Summe netto', 'Total HT', 'Base imponible', 'Totale imponibile', 'Total sem IVA', 'Totaal excl. btw', 'Razem netto', '税抜合計', '不含税合计', '未稅合計', 'الإجمالي قبل الضريبة', 'סה״כ לפני מע״מ'],
  prepayment: ['Prepayment', 'Anzahlung', 'Acompte', 'Anticipo', 'Acconto', 'Adiantamento', 'Aanbetaling', 'Zaliczka', '前払金', '预付款', '預付款', 'دفعة مقدمة', 'מקדמה'],
  net: ['Net', 'Netto', 'HT', 'Neto', 'Netto', 'Líquido', 'Netto', 'Netto', '税抜', '不含税', '未稅', 'الصافي', 'נטו'],
  routingNumber: ['Routing no.', 'Routing-Nr. (ABA)', 'N° de routage (ABA)', 'N.º de ruta (ABA)', 'Routing number (ABA)', 'Número ABA', 'Routingnummer (ABA)', 'Numer ABA', 'ABA番号', 'ABA路由号码', 'ABA路由號碼', 'رقم التوجيه (ABA)', 'מספר ניתוב (ABA)'],
  sortCode: ['Sort code', 'Sort Code', 'Sort code', 'Sort code', 'Sort code', 'Sort code', 'Sort code', 'Sort code', 'ソートコード', '银行清算代码', '銀行清算代碼', 'رمز الفرز', 'קוד מיון'],
  ifsc: ['IFSC', 'IFSC', 'IFSC', 'IFSC', 'IFSC', 'IFSC', 'IFSC', 'IFSC', 'IFSC', 'IFSC', 'IFSC', 'IFSC', 'IFSC'],
  bsb: ['BSB', 'BSB', 'BSB', 'BSB', 'BSB', 'BSB', 'BSB', 'BSB', 'BSB', 'BSB', 'BSB', 'BSB', 'BSB'],
  position: ['No.', 'Pos.', 'N°', 'N.º', 'N.', 'N.º', 'Nr.', 'Lp.', 'No.', '序号', '序號', 'م', '#'],
  uid: ['UID', 'UID', 'IDE', 'UID', 'IDI', 'UID', 'UID', 'UID', 'UID', 'UID', 'UID', 'UID', 'UID'],
} satisfies Record<string, Row>

/** Name of a further label. */
export type MoreLabelName = keyof typeof ROWS

type Texts = Record<MoreLabelName, string>

/** The further labels by language. */
export const MORE_LABELS = Object.fromEntries(
  LANGUAGES.map((language, column) => [
    language,
    Object.fromEntries(Object.entries(ROWS).map(([name, texts]) => [name, texts[column]])),
  ]),
  // Each language has a column, and each label a row.
) as Record<(typeof LANGUAGES)[number], Texts>
