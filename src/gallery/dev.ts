/** What the page loads, as the server has built it last. */
interface Changes {
  script: string
  style: string
}

// Only while somebody works on the source: a new style is put in place of the old one, and for a new
// script the page is loaded anew; the screen, the place and the filter are in its address.
new EventSource('/web/changes').addEventListener('message', ({ data }) => {
  const { script, style } = JSON.parse(data) as Changes
  const link = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')!
  if (!document.querySelector(`script[src="${script}"]`)) location.reload()
  else if (link.getAttribute('href') !== style) link.href = style
})
