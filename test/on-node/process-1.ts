import './share.ts'
