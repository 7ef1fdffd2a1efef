import packageJson from '../../../package.json' with { type: 'json' }
import { heading, list, prose, type DocsPage } from './page'

/** Returns the page about what may change. */
export function describeVersioning(): DocsPage {
  return {
    slug: 'versioning',
    title: 'Versioning',
    lead: 'What may change without notice, what stays the same, and where changes are announced.',
    blocks: [
      heading('What may change without notice'),
      list(
        'New endpoints, and new optional parameters of existing endpoints.',
        'New response headers, warnings, error codes and JSON fields.',
        'The wording of error messages. Use the code in `error`, not the text in `message`.',
        'The exact bytes of a result, such as the order of objects in a PDF.',
        'An unknown field that the API ignores today can become a parameter. Send `Prefer: handling=strict` to find ' +
          'such fields.',
      ),
      heading('What stays the same'),
      list(
        'Error codes and warnings keep their names.',
        'Endpoints keep their paths, and parameters keep their names.',
        'If a release must change one of these names or paths, the [changelog](/docs/changelog) says so.',
      ),
      heading('How to prepare your client'),
      list(
        'Ignore response headers, warnings and JSON fields that you do not know.',
        'Treat an unknown error code by its status. Retry later after 429 and 5xx. After any other 4xx, change the ' +
          'request.',
      ),
      heading('Version of this server'),
      prose(
        `This server runs version ${packageJson.version}. The URLs of the API contain no version. The ` +
          '[OpenAPI document](/openapi.json) states the version in `info.version`.',
      ),
    ],
  }
}

/** Returns the page about features that don't exist. */
export function describeNotSupported(): DocsPage {
  return {
    slug: 'not-supported',
    title: 'What Sheaf doesn’t do',
    lead: 'Check this list before you build on Sheaf.',
    blocks: [
      heading('API'),
      list(
        'No webhooks. You get the file in the response to your request.',
        'No asynchronous jobs. Keep the connection open until the response arrives.',
        'No batch requests. Send one request for each job, [several at the same time](/docs/rate-limits). One request ' +
          'to [fill a form](/docs/form-filler) can fill it for many records. One request can also [chain ' +
          'tools](/docs/chain-tools).',
        'No file storage and no download URLs. Sheaf does not keep files.',
        'No result by URL. Sheaf [fetches files](/docs/api-basics#files-by-url), but uploads no result to other servers.',
        'No requests from browsers. The API sends no CORS headers, so browsers block requests from your pages.',
        'No official clients for other languages than [TypeScript](/docs/typescript) and [Python](/docs/python). Generate ' +
          'one from the [OpenAPI document](/openapi.json).',
      ),
      heading('Documents'),
      list(
        'No digital signatures. Sheaf keeps the form field of a signature, but an edit makes an existing signature invalid.',
        'No Word, Excel or PowerPoint files, as input or output. Save them as PDF or [HTML](/docs/webpage-to-pdf) first.',
        'No screenshots. [Web page to PDF](/docs/webpage-to-pdf) makes a PDF, and ' +
          '[PDF to images](/docs/pdf-to-images) makes images of its pages.',
        'No summaries, translations or questions about a document. [Extract the text](/docs/extract-text) for your own model.',
        'No removal of an unknown password. [Unlock PDF](/docs/unlock-pdf) needs the password.',
      ),
      heading('Accounts'),
      list(
        'One API key per account. Keys have no scopes and no expiry date.',
        'No test keys. Use your free monthly credits for tests. Failed requests are free.',
        'One user per account. There are no teams and no roles.',
      ),
    ],
  }
}
