"""What the service accepts and returns."""

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field


class Status(StrEnum):
    PLACED = "placed"
    SHIPPED = "shipped"
    CANCELLED = "cancelled"


class NewOrder(BaseModel):
    model_config = ConfigDict(extra="forbid")

    sku: str = Field(min_length=3, max_length=20)
    quantity: int = Field(ge=1, le=100)
    note: str | None = Field(default=None, max_length=200)


class Order(BaseModel):
    id: str = Field(pattern="^ord_[0-9a-z]{8}$")
    sku: str = Field(min_length=3, max_length=20)
    quantity: int = Field(ge=1, le=1000)
    status: Status
    note: str | None = Field(default=None, max_length=200)
    createdAt: datetime


class OrderPage(BaseModel):
    items: list[Order] = Field(max_length=100)
    nextCursor: str | None


class Error(BaseModel):
    code: str
    message: str
