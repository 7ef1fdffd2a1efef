/** The content of a mail: paragraphs and a link. */
export interface MailText {
  subject: string
  paragraphs: string[]
  /** Undefined if the URL of the service isn't configured. */
  link: { label: string; url: string } | undefined
  /** The reason for the mail, in small print. */
  reason: string
}

/** Returns a mail in plain text and in HTML, with the same content. */
export function writeMail({ subject, paragraphs, link, reason }: MailText): {
  subject: string
  text: string
  html: string
} {
  const plain = [...paragraphs, ...(link === undefined ? [] : [`${link.label}: ${link.url}`]), `-- \n${reason}`]
  return { subject, text: `${plain.join('\n\n')}\n`, html: writeHtml({ subject, paragraphs, link, reason }) }
}

/** Mail clients support few style sheets, so every element has its own styles. */
function writeHtml({ subject, paragraphs, link, reason }: MailText): string {
  const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
  const text = paragraphs.map(paragraph => `<p style="margin:0 0 16px">${escape(paragraph)}</p>`)
  const button =
    link === undefined
      ? []
      : [
          `<p style="margin:24px 0"><a href="${escape(link.url)}" style="display:inline-block;padding:10px ` +
            `18px;border-radius:6px;background:#1f4b3f;color:#ffffff;text-decoration:none">${escape(link.label)}</a></p>`,
        ]
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" ' +
      `content="width=device-width"><title>${escape(subject)}</title></head>`,
    `<body style="margin:0;padding:24px;background:#f6f5f1;color:#1c1b18;${font};font-size:16px;line-height:1.5">`,
    `<div style="max-width:520px;margin:0 auto;padding:28px;background:#ffffff;border-radius:10px">`,
    `<p style="margin:0 0 20px;font-weight:600">Sheaf</p>`,
    ...text,
    ...button,
    '<p style="margin:24px 0 0;padding-top:16px;border-top:1px solid ' +
      `#e4e1d8;font-size:13px;color:#5f5b52">${escape(reason)}</p>`,
    `</div></body></html>\n`,
  ].join('\n')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
