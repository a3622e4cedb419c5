"""The first lines of a service in each framework, so that a table row holds only what it is about."""

from __future__ import annotations

FASTAPI = """
from typing import Annotated
from fastapi import Body, Cookie, Depends, FastAPI, Form, Header, HTTPException, Query, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel
app = FastAPI()
"""
FLASK = """
from flask import Flask, abort, g, jsonify, request, session
app = Flask(__name__)
"""
DJANGO = """
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseForbidden, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import path
"""
AIOHTTP = """
from aiohttp import web
"""
DRF = """
from rest_framework import permissions, status
from rest_framework.response import Response
from rest_framework.views import APIView
from django.urls import path
"""


def django(body: str, view: str = "report", route: str = "reports/") -> str:
    """A Django view with its URL."""
    return f'{DJANGO}{body}\nurlpatterns = [path("{route}", {view})]\n'


def aiohttp(body: str, view: str = "report", route: str = "/reports", method: str = "get") -> str:
    """An aiohttp handler with its route."""
    return f'{AIOHTTP}{body}\napp = web.Application()\napp.router.add_{method}("{route}", {view})\n'
