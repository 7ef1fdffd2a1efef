import { expect, it } from 'vitest'
import { rewritePacket } from '../../../../../engines/features/redaction/xml/rewrite-packet'
import { XmlEntities } from '../../../../../engines/features/redaction/xml/xml-entities'

const packet = (text: string): string =>
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  '<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/">' +
  `<xmp:Nickname>${text}</xmp:Nickname><xmp:Label>KEPT</xmp:Label></rdf:Description></rdf:RDF></x:xmpmeta>`

it.each([
  ['one long word', 'Qk0A'.repeat(80), false],
  ['lines of the same length', `${'Qk0A'.repeat(16)}\n`.repeat(6), false],
  ['a short word', 'Qk0A'.repeat(60), true],
  ['words', 'some plain words '.repeat(30), true],
])('a property with %s is encoded data or text', (_, text, isText) => {
  const written = rewritePacket(packet(text)) ?? ''
  expect(written).toContain('KEPT')
  expect(written.includes('Qk0A') || written.includes('plain words')).toBe(isText)
})

it.each([
  ['&#65;', 'A'],
  ['&#x10ffff;', '\u{10ffff}'],
  ['&#x110000;', ''],
  ['&amp;', '&'],
  ['&who;', 'Quimby'],
])('the reference %s is %j', (reference, text) => {
  const entities = new XmlEntities(['<!DOCTYPE x [<!ENTITY who "Quimby">]>'])
  expect(entities.read(`.${reference}.`, 1)).toEqual({ text, end: reference.length + 1 })
})
