import { describe, expect, it } from 'vitest';
import { TextCollector } from './text.collector.js';

function collect(...texts: string[]): { pieces: string[]; whole: string } {
  const pieces: string[] = [];
  const collector = new TextCollector((piece) => pieces.push(piece));
  for (const text of texts) collector.add(text);
  return { whole: collector.finish(), pieces };
}

describe('TextCollector', () => {
  it('passes pieces on as they come', () => {
    expect(collect('a', 'bc')).toEqual({ pieces: ['a', 'bc'], whole: 'abc' });
  });

  it('holds half a pair back until the other half comes', () => {
    expect(collect('a\ud83d', '\ude00b')).toEqual({ pieces: ['a', '😀b'], whole: 'a😀b' });
    expect(collect('\ud83d', '\ude00', '\ud83d', '\ude00')).toEqual({ pieces: ['😀', '😀'], whole: '😀😀' });
  });

  it('replaces halves that stay alone', () => {
    expect(collect('a\ud83d', 'b')).toEqual({ pieces: ['a', '\ufffdb'], whole: 'a\ufffdb' });
    expect(collect('a\ud83d')).toEqual({ pieces: ['a', '\ufffd'], whole: 'a\ufffd' });
    expect(collect('\ud83d', '\ud83d', '\ude00')).toEqual({ pieces: ['\ufffd', '😀'], whole: '\ufffd😀' });
    expect(collect('\ude00a')).toEqual({ pieces: ['\ufffda'], whole: '\ufffda' });
  });

  it('passes nothing on for empty text', () => {
    expect(collect('', 'a', '')).toEqual({ pieces: ['a'], whole: 'a' });
  });
});
