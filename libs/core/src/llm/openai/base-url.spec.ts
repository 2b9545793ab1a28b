import { describe, expect, it } from 'vitest';
import { parseBaseUrl } from './base-url.js';

describe('parseBaseUrl', () => {
  it('adds /v1 to a URL without a path, and keeps any other path', () => {
    const paths = ['http://h:1', 'http://h:1/', 'http://h:1/v1', 'http://h:1/v1/', 'https://h/openai/v2'];
    expect(paths.map((text) => parseBaseUrl(text).chatPath)).toEqual([
      '/v1/chat/completions',
      '/v1/chat/completions',
      '/v1/chat/completions',
      '/v1/chat/completions',
      '/openai/v2/chat/completions',
    ]);
  });

  it('sends a query along but shows it nowhere', () => {
    const base = parseBaseUrl('https://example.com/v1?api-version=1&key=abc');
    expect(base.chatPath).toBe('/v1/chat/completions?api-version=1&key=abc');
    expect(base.display).toBe('https://example.com/v1');
  });

  it('knows which servers are local', () => {
    const local = [
      'localhost',
      '127.0.0.1',
      '[::1]',
      '10.1.2.3',
      '172.31.0.1',
      '192.168.1.5',
      '[fd00::1]',
      'ollama',
      'gpu.lan',
    ];
    const remote = ['api.openai.com', '8.8.8.8', '172.32.0.1', '[2606:4700::1]', 'localhost.example.com'];
    expect(local.filter((host) => !parseBaseUrl(`http://${host}:8080`).local)).toEqual([]);
    expect(remote.filter((host) => parseBaseUrl(`http://${host}:8080`).local)).toEqual([]);
  });

  it('refuses what is no http URL, and credentials without repeating them', () => {
    expect(() => parseBaseUrl('localhost')).toThrow('The base URL "localhost" is no http(s) URL.');
    expect(() => parseBaseUrl('ftp://h')).toThrow(TypeError);
    expect(() => parseBaseUrl('https://me:secret@h/v1')).toThrow(
      'The base URL of h holds credentials. Give them as apiKey or headers instead.',
    );
  });
});
