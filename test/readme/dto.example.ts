import { Injectable } from '@nestjs/common';
import { Operator } from '@nestor/agent';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

export class SearchDto {
  @IsString()
  text!: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(20)
  limit?: number;
}

@Injectable()
export class CatalogService {
  @Operator({ description: 'Search the catalogue' })
  search({ text, limit = 5 }: SearchDto) {
    return Array.from({ length: limit }, (_, index) => `${text} ${index + 1}`);
  }
}
