interface Said {
  /** Levels with slashes. */
  tags?: string[]
  subject?: string[]
  people?: string[]
  rating?: number
  label?: string
  caption?: string
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const bag = (name: string, kind: string, items: string[] = []) => {
  const list = items.map((item) => `<rdf:li>${escaped(item)}</rdf:li>`).join('')
  return items.length === 0 ? '' : `<${name}><rdf:${kind}>${list}</rdf:${kind}></${name}>`
}

/** Returns the text of a sidecar, in the fields that digiKam writes. */
export function xmpText({ tags, subject, people, rating, label, caption }: Said): string {
  const described = caption && `<rdf:li xml:lang="x-default">${escaped(caption)}</rdf:li>`
  return `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:digiKam="http://www.digikam.org/ns/1.0/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
 ${rating === undefined ? '' : `xmp:Rating="${rating}"`} ${label ? `xmp:Label="${label}"` : ''}>
${bag('digiKam:TagsList', 'Seq', tags)}
${bag('dc:subject', 'Bag', subject)}
${bag('Iptc4xmpExt:PersonInImage', 'Bag', people)}
${described ? `<dc:description><rdf:Alt>${described}</rdf:Alt></dc:description>` : ''}
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`
}
