const dark = matchMedia('(prefers-color-scheme: dark)')
const followTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', followTheme)
followTheme()

const TOKEN_PATHS = ['/api/v1/auth/login', '/api/v1/auth/refresh']

const BINARY = /^(image|video)\/|octet-stream/

const calmSamples = {
  afterLoad() {
    const sample = this.fn.getSampleSchema
    this.fn.getSampleSchema = (schema, type, ...rest) => {
      // A field of a form is left empty: what it may look like is not what should be sent.
      if (type === false) return ''
      return BINARY.test(type) ? 'bytes' : sample(schema, type, ...rest)
    }
  },
}

/** Returns JSON with integers that no double has rounded, or the lines of a stream as they are. */
function exactText({ content, contentType }) {
  if (typeof content !== 'string' || content === '') return undefined
  if (/ndjson/.test(contentType)) return content
  if (!/json/.test(contentType) || !JSON.rawJSON) return undefined
  const exact = (_, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value)
  return JSON.stringify(JSON.parse(content, exact), null, 2)
}

const exactAnswers = {
  wrapComponents: {
    responseBody:
      (Body, { React, getComponent }) =>
      (props) => {
        const text = exactText(props)
        if (text === undefined) return React.createElement(Body, props)
        const code = {
          language: 'json',
          downloadable: true,
          fileName: 'answer.json',
          canCopy: true,
        }
        return React.createElement(
          'div',
          null,
          React.createElement('h5', null, 'Response body'),
          React.createElement(getComponent('HighlightCode', true), code, text),
        )
      },
  },
}

const docs = globalThis.SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  plugins: [calmSamples, exactAnswers],
  // Otherwise, another host would be asked whether the document is valid.
  validatorUrl: null,
  responseInterceptor(response) {
    // Whoever signs in on this page need not copy the token.
    if (response.ok && TOKEN_PATHS.includes(new URL(response.url).pathname)) {
      docs.preauthorizeApiKey('bearer', response.body.access_token)
    }
    return response
  },
})
